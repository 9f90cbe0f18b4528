import type { Models } from 'node-appwrite';
import { later, pause } from './cleanup.ts';
import type { Http } from './http.ts';
import { fresh } from './names.ts';
import { keyOf, server } from './people.ts';

export interface Row extends Models.Document {
  title: string;
  n: number | null;
  st: string | null;
  ok: boolean | null;
  at: string | null;
  u: string | null;
  m: string | null;
}

export type Collection = ReturnType<typeof collectionAt>;

/** Returns a collection's paths and the ids that the SDKs' document methods take. */
export function collectionAt(databaseId: string, collectionId: string, where = server()) {
  const path = `/databases/${databaseId}/collections/${collectionId}`;
  const [ids, documents] = [{ databaseId, collectionId }, `${path}/documents`];
  return { ...ids, ids, server: where, path, documents, document: (id: string) => `${documents}/${id}` };
}

const ATTRIBUTES: readonly [type: string, body: Record<string, unknown>][] = [
  ['string', { key: 'title', size: 128, required: true }],
  ['integer', { key: 'n', required: false }],
  ['enum', { key: 'st', elements: ['a', 'b', 'c'], required: false }],
  ['boolean', { key: 'ok', required: false }],
  ['datetime', { key: 'at', required: false }],
  ['url', { key: 'u', required: false }],
  ['email', { key: 'm', required: false }],
];

export async function database(where = server()): Promise<string> {
  const { http } = keyOf(where);
  const databaseId = fresh('db');
  await http.post('/databases', { databaseId, name: databaseId }).is(201);
  later(() => http.delete(`/databases/${databaseId}`));
  return databaseId;
}

/** Creates a collection with the checklist's attributes, by default in a new database. */
export async function collection(
  settings: { permissions?: readonly string[]; documentSecurity?: boolean } = {},
  databaseId?: string,
  where = server(),
): Promise<Collection> {
  const { http } = keyOf(where);
  const made = collectionAt(databaseId ?? (await database(where)), fresh('col'), where);
  const body = { collectionId: made.collectionId, name: made.collectionId, ...settings };
  await http.post(`/databases/${made.databaseId}/collections`, body).is(201);
  for (const [type, attribute] of ATTRIBUTES) await http.post(`${made.path}/attributes/${type}`, attribute).is(202);
  await available(http, `${made.path}/attributes`);
  return made;
}

export async function schema(where = server()) {
  const databaseId = await database(where);
  const [pub, sec, prv] = await Promise.all([
    collection({ permissions: ['create("any")', 'read("any")'] }, databaseId, where),
    collection({ permissions: ['create("users")'], documentSecurity: true }, databaseId, where),
    collection({}, databaseId, where),
  ]);
  return { databaseId, pub, sec, prv };
}

export async function index({ path }: Collection, key: string, type: string, attributes: string[]): Promise<void> {
  const { http } = keyOf();
  await http.post(`${path}/indexes`, { key, type, attributes }).is(202);
  await available(http, `${path}/indexes`);
}

/** Polls attributes or indexes, which a server may build in the background, until all are available. */
export async function available(http: Http, path: string): Promise<void> {
  const patience = Date.now() + 120_000;
  for (;;) {
    const body = await http.get(path).json<Partial<Record<string, { key: string; status: string }[]>>>();
    const waiting = (body.attributes ?? body.indexes ?? []).filter(({ status }) => status !== 'available');
    if (waiting.length === 0) return;
    if (Date.now() > patience || waiting.some(({ status }) => status === 'failed')) {
      throw new Error(`${path}: ${waiting.map(({ key, status }) => `${key} is ${status}`).join(', ')}`);
    }
    await pause(100);
  }
}

export const draft = (data: Record<string, unknown> = {}, permissions?: readonly string[]) => ({
  documentId: fresh('doc'),
  data: { title: 'A title', ...data },
  ...(permissions && { permissions: [...permissions] }),
});

export const document = (
  { documents, server }: Collection,
  data: Record<string, unknown> = {},
  permissions?: readonly string[],
): Promise<Row> => keyOf(server).http.post(documents, draft(data, permissions)).json<Row>(201);

export const owner = (userId: string): string[] =>
  ['read', 'update', 'delete'].map((action) => `${action}("user:${userId}")`);
