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

/** Moves every post that is missing or older at `to`, oldest first, a page in one call. */
export async function movePosts(from: Side, to: Side, report: StageReport, options: MoveOptions): Promise<void> {
  const { databaseId, collectionId } = to.place;
  let done = 0;
  for await (const page of pages(listPosts(from))) {
    const there = await found(
      page.map(({ $id }) => $id),
      listPosts(to),
    );
    const missing = page.filter(({ $id }) => !there.has($id));
    const documents = missing.map((row) => ({ ...payload(row), $id: row.$id, $permissions: row.$permissions }));
    try {
      if (!options.dryRun && documents.length > 0) {
        await to.databases.createDocuments({ databaseId, collectionId, documents });
      }
      report.created += missing.length;
    } catch (error) {
      report.failed.push(
        `${missing.length} posts from ${missing[0]?.$id}: ${error instanceof Error ? error.message : error}`,
      );
    }
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
    report.kept.push(`${row.$id}: changed at the receiving end on ${other.$updatedAt}`);
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
