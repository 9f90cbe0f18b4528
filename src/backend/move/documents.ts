import type { Models } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { literal } from '../document.ts';
import type { KeyedBackend } from '../keyed-backend.ts';
import { addressSeal } from '../newsletter/subscribers.ts';
import { COLLECTIONS } from '../schema.ts';
import { unless } from '../unless.ts';
import { type Convert, pairs } from './pairs.ts';
import type { DocumentStage, MoveOptions, StageReport } from './report.ts';

type Row = Models.DefaultDocument;

/** Names for the items of each stage, used in messages. */
export const NAMES: Readonly<Record<DocumentStage, string>> = {
  posts: 'Post',
  revisions: 'Revision',
  settings: 'Version of the settings',
  subscribers: 'Subscriber',
  issues: 'Newsletter issue',
  passkeys: 'Passkey',
};

const collectionOf = (stage: DocumentStage) => (stage === 'posts' ? 'articles' : stage);

export const listDocuments = (side: KeyedBackend, stage: DocumentStage) => async (queries: string[]) => {
  const found = side.databases.listDocuments({ ...side[collectionOf(stage)], queries });
  // A blog from an older release may lack any collection other than posts.
  const list = await (stage === 'posts' ? found : unless('collection_not_found', found));
  if (stage !== 'subscribers') return list?.documents ?? [];
  // Decrypts the addresses, because the source and the destination encrypt them with different server keys.
  const { open } = addressSeal(side.target.apiKey);
  return (list?.documents ?? []).map((row) => ({ ...row, address: row.address && open(row.$id, row.address) }));
};

const payload = (stage: DocumentStage, row: Row) => ({
  ...Object.fromEntries(COLLECTIONS[collectionOf(stage)].attributes.map(({ key }) => [key, row[key]])),
  $createdAt: row.$createdAt,
  $updatedAt: row.$updatedAt,
});

/** Returns the fields to write at the destination. Encrypts a subscriber's address with the key of `to`. */
function storedAt(to: KeyedBackend, stage: DocumentStage, row: Row) {
  const fields: Record<string, unknown> = payload(stage, row);
  if (stage === 'subscribers' && row.address) fields.address = addressSeal(to.target.apiKey).seal(row.$id, row.address);
  return fields;
}

export const sameDocument =
  (stage: DocumentStage) =>
  (a: Row, b: Row): boolean =>
    JSON.stringify(payload(stage, a)) === JSON.stringify(payload(stage, b)) &&
    [...a.$permissions].sort().join() === [...b.$permissions].sort().join();

/** Returns the first differing field, if any. Also names a character in it that the destination could not store. */
export const differingInDocument =
  (stage: DocumentStage) =>
  (a: Row, b: Row): string | undefined => {
    const [one, other] = [payload(stage, a), payload(stage, b)] as Record<string, unknown>[];
    const field = Object.keys(one ?? {}).find((name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]));
    if (!field) return sameDocument(stage)(a, b) ? undefined : '$permissions';
    const kept = new Set(String(other?.[field]));
    const lost = [...String(one?.[field])].find((character) => character.length > 1 && !kept.has(character));
    return lost ? `${field}: its database cannot store ${lost}` : field;
  };

/**
 * Maximum size of the documents in one request. The embedded backend accepts 12 MiB, but the SDK's escaping enlarges
 * the request.
 */
const BATCH_BYTES = 4_000_000;

function batches(rows: readonly Row[]): Row[][] {
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

export async function moveDocuments(
  from: KeyedBackend,
  to: KeyedBackend,
  stage: DocumentStage,
  report: StageReport,
  { dryRun, onProgress }: MoveOptions,
  convert?: Convert<Row>,
): Promise<void> {
  const place = to[collectionOf(stage)];
  const failed = (row: Row | undefined, error: unknown) =>
    report.failed.push(`${NAMES[stage]} ${row?.$id}: ${faultOf(error).message}`);

  /** Creates `rows` in one request; if that fails, one by one, so that a bad row does not stop the others. */
  async function create(rows: readonly Row[]): Promise<void> {
    const documents = rows.map((row) => ({
      ...storedAt(to, stage, row),
      $id: row.$id,
      $permissions: row.$permissions,
    }));
    try {
      await to.databases.createDocuments({ ...place, documents });
      report.created += rows.length;
    } catch (error) {
      if (rows.length > 1) for (const row of rows) await create([row]);
      else failed(rows[0], error);
    }
  }

  async function update(row: Row, other: Row): Promise<void> {
    if (sameDocument(stage)(row, other)) {
      report.unchanged += 1;
    } else if (Date.parse(other.$updatedAt) > Date.parse(row.$updatedAt)) {
      report.kept.set(row.$id, `${row.$id}: changed at the destination on ${other.$updatedAt}`);
    } else {
      try {
        const change = { documentId: row.$id, data: literal(storedAt(to, stage, row)), permissions: row.$permissions };
        if (!dryRun) await to.databases.updateDocument({ ...place, ...change });
        report.updated += 1;
      } catch (error) {
        failed(row, error);
      }
    }
  }

  let done = 0;
  for await (const page of pairs(listDocuments(from, stage), listDocuments(to, stage), convert)) {
    const missing = page.flatMap(([row, other]) => (other ? [] : [row]));
    if (dryRun) report.created += missing.length;
    else for (const rows of batches(missing)) await create(rows);
    for (const [row, other] of page) {
      if (other) await update(row, other);
      onProgress?.(stage, ++done);
    }
  }
}
