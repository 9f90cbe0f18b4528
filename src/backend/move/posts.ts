/** Moves posts with their ids, times and permissions. */
import type { Models } from 'node-appwrite';
import { ATTRIBUTES } from '../schema.ts';
import type { MoveOptions, StageReport } from './report.ts';
import { found, pages, type Side } from './side.ts';

type Row = Models.DefaultDocument;

export const listPosts =
  ({ databases, place: { databaseId, collectionId } }: Side) =>
  async (queries: string[]) =>
    (await databases.listDocuments({ databaseId, collectionId, queries })).documents;

/** What a post consists of, apart from where it is kept. */
const payload = (row: Row) => ({
  ...Object.fromEntries(ATTRIBUTES.map(({ key }) => [key, row[key]])),
  $createdAt: row.$createdAt,
  $updatedAt: row.$updatedAt,
});

export function samePost(a: Row, b: Row): boolean {
  return (
    JSON.stringify(payload(a)) === JSON.stringify(payload(b)) &&
    [...a.$permissions].sort().join() === [...b.$permissions].sort().join()
  );
}

/** Most bytes of posts in one call: a server takes 12 MiB, and the JSON escapes some. */
const BATCH_BYTES = 4_000_000;

/** Parts of `rows` that go in one call each. */
export function batches(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row));
    if (parts.length > 0 && size <= room) parts.at(-1)?.push(row);
    else {
      parts.push([row]);
      room = BATCH_BYTES;
    }
    room -= size;
  }
  return parts;
}

/** Creates `rows` in one call; when it is refused, one by one, so that a post that cannot be moved holds up no other. */
async function create(to: Side, rows: readonly Row[], report: StageReport): Promise<void> {
  const { databaseId, collectionId } = to.place;
  const documents = rows.map((row) => ({ ...payload(row), $id: row.$id, $permissions: row.$permissions }));
  try {
    await to.databases.createDocuments({ databaseId, collectionId, documents });
    report.created += rows.length;
  } catch (error) {
    if (rows.length > 1) for (const row of rows) await create(to, [row], report);
    else report.failed.push(`Post ${rows[0]?.$id}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Moves every post that is missing or older at `to`, oldest first. */
export async function movePosts(from: Side, to: Side, report: StageReport, options: MoveOptions): Promise<void> {
  let done = 0;
  for await (const page of pages(listPosts(from))) {
    const there = await found(
      page.map(({ $id }) => $id),
      listPosts(to),
    );
    const missing = page.filter(({ $id }) => !there.has($id));
    if (options.dryRun) report.created += missing.length;
    else for (const rows of batches(missing)) await create(to, rows, report);
    for (const row of page) {
      const other = there.get(row.$id);
      if (other) await update(to, row, other, report, options);
      options.onProgress?.('posts', ++done);
    }
  }
}

async function update(to: Side, row: Row, other: Row, report: StageReport, options: MoveOptions): Promise<void> {
  const { databaseId, collectionId } = to.place;
  if (samePost(row, other)) {
    report.unchanged += 1;
  } else if (Date.parse(other.$updatedAt) > Date.parse(row.$updatedAt)) {
    report.kept.set(row.$id, `${row.$id}: changed at the receiving end on ${other.$updatedAt}`);
  } else {
    try {
      const change = { documentId: row.$id, data: payload(row), permissions: row.$permissions };
      if (!options.dryRun) await to.databases.updateDocument({ databaseId, collectionId, ...change });
      report.updated += 1;
    } catch (error) {
      report.failed.push(`Post ${row.$id}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
