import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply, TestBackend } from '../../tests/support/backend.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { CHUNK_SIZE } from '../storage/upload/content-range.ts';

const MEBIBYTE = 1024 * 1024;
const QUOTA = MEBIBYTE;
/** Leaves room for uploads of several chunks. */
const LARGE_QUOTA = 6 * MEBIBYTE;
/** Bytes counted for each file in addition to its size. */
const FILE = 4096;
const LARGEST = LARGE_QUOTA - FILE;
/** Bytes counted for each document in addition to its text: a fixed overhead and its creator's permissions. */
const DOCUMENT = 512 + '["read(\\"user:ann\\")","update(\\"user:ann\\")","delete(\\"user:ann\\")"]'.length;
const BUCKET = '/storage/buckets/bk';
const DOCUMENTS = '/databases/d/collections/notes/documents';
let backend: TestBackend;
let ann: string;
const start = (storageQuota: number) => async () => {
  backend = await backendOfTest({ storageQuota });
  ann = await backend.user('ann');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("any")'] });
  await notes();
};

const ask: TestBackend['request'] = (...args) => backend.request(...args);
/** @param bytes how much of the quota the file uses, including the fixed overhead per file */
const upload = (id: string, bytes: number, as = ann, headers = {}) =>
  backend.upload('bk', id, new Uint8Array(Math.max(1, bytes - FILE)), { as, headers });
const notes = () => {
  const rights = { documentSecurity: true, permissions: ['create("users")', 'update("users")'] };
  const attributes = [
    { key: 'text', type: 'string', size: 10_000_000 },
    { key: 'more', type: 'string', size: 10_000_000, array: true },
    { key: 'number', type: 'integer' },
  ];
  return backend.collection('notes', { ...rights, attributes });
};
const write = (documentId: string, text: string, as = ann) =>
  ask('POST', DOCUMENTS, { as, body: { documentId, data: { text } } });
const change = (id: string, data: object, as = ann) => ask('PATCH', `${DOCUMENTS}/${id}`, { as, body: { data } });
const remove = (path: string, as = 'key') => ask('DELETE', path, { as, body: {} });

function chunk(id: string, number: number, total: number, as = ann): Promise<Reply> {
  const start = (number - 1) * CHUNK_SIZE;
  const size = Math.min(CHUNK_SIZE, total - start);
  const headers = { 'Content-Range': `bytes ${start}-${start + size - 1}/${total}`, 'X-Appwrite-ID': id };
  return upload(id, size + FILE, as, headers);
}

/** Fails unless `as` has exactly this many bytes left. */
async function requireFree(bytes: number, as = ann): Promise<void> {
  expect(await upload('probe', bytes + 1, as)).toMatchObject(EXCEEDED);
  expect(await statusOf(upload('probe', bytes, as))).toBe(201);
  expect(await statusOf(remove(`${BUCKET}/files/probe`))).toBe(204);
}

const USED = expect.stringMatching(/^You have used all of your storage \((?:1|6) MB\)\. /);
const EXCEEDED = { status: 413, body: { type: 'storage_quota_exceeded', code: 413, message: USED } };
const statusOf = async (reply: Promise<Reply>) => (await reply).status;

describe('files', () => {
  beforeEach(start(QUOTA));

  it('fill the quota to the byte, also after a restart, and leave nothing of what is refused', async () => {
    await upload('a', QUOTA - 10_000);
    await backend.restart();
    const before = await backend.stored();
    expect(await upload('b', 10_001)).toMatchObject(EXCEEDED);
    expect(await backend.stored()).toEqual(before);
    expect(await statusOf(upload('b', 10_000))).toBe(201);
    expect(await upload('c', 1)).toMatchObject(EXCEEDED);
  });

  it('free their room when they are deleted, by their user, by a key or with their bucket', async () => {
    const file = `${BUCKET}/files/a`;
    for (const go of [() => remove(file, ann), () => remove(file), () => remove(BUCKET)]) {
      expect(await statusOf(upload('a', QUOTA))).toBe(201);
      expect(await upload('b', 1)).toMatchObject(EXCEEDED);
      await go();
    }
    await backend.bucket('bk', { permissions: ['create("users")'] });
    await requireFree(QUOTA);
  });

  it('count for each user alone, for all guests together, for no key, and on for the id of a deleted user', async () => {
    const bob = await backend.user('bob');
    await upload('a', QUOTA);
    expect(await statusOf(upload('b', QUOTA, bob))).toBe(201);
    expect(await statusOf(upload('g', QUOTA - 5, 'guest'))).toBe(201);
    expect(await upload('h', 6, 'guest')).toMatchObject(EXCEEDED);
    for (const id of ['k', 'l']) expect(await statusOf(upload(id, QUOTA, 'key'))).toBe(201);
    await remove('/users/ann');
    expect(await upload('i', 1, await backend.user('ann'))).toMatchObject(EXCEEDED);
  });

  it('do not exceed it together, however many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(`at-once-${i}`, 140_000)));
    const stored = replies.filter(({ status }) => status === 201).length;
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(stored).toBeLessThanOrEqual(7);
    for (const reply of replies) if (reply.status !== 201) expect(reply).toMatchObject(EXCEEDED);
    await requireFree(QUOTA - stored * 140_000);
  });

  it('count with their rows, and with permissions that take more', async () => {
    await upload('a', 10_000);
    const permissions = Array.from({ length: 100 }, (_, i) => `read("user:${'x'.repeat(30)}${i + 100}")`);
    const grant = (body: object) => statusOf(ask('PUT', `${BUCKET}/files/a`, { as: 'key', body }));
    expect(await grant({ permissions })).toBe(200);
    await requireFree(QUOTA - 10_000 - (JSON.stringify(permissions).length - FILE));
    expect(await grant({ permissions: [] })).toBe(200);
    await requireFree(QUOTA - 10_000);
    await remove(`${BUCKET}/files/a`);
    const most = Math.floor(QUOTA / (FILE + 1));
    for (let i = 0; i < most; i++) expect(await statusOf(upload(`tiny${i}`, 1))).toBe(201);
    expect(await upload('one-more', 1)).toMatchObject(EXCEEDED);
  });
});

describe('uploads in chunks', () => {
  beforeEach(start(LARGE_QUOTA));

  it('count with their declared size from the first chunk until they are deleted', async () => {
    expect(await chunk('a', 1, LARGEST + 1)).toMatchObject(EXCEEDED);
    expect(await backend.stored()).toEqual([]);
    expect(await statusOf(chunk('a', 1, LARGEST))).toBe(201);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
    expect(await statusOf(remove(`${BUCKET}/files/a`, ann))).toBe(204);
    await chunk('a', 1, LARGEST);
    const bob = await backend.user('bob');
    expect(await chunk('a', 2, LARGEST, bob)).toMatchObject({ status: 409 });
    await requireFree(LARGE_QUOTA, bob);
    expect(await chunk('a', 2, LARGEST)).toMatchObject({ status: 201, body: { chunksUploaded: 2 } });
    expect((await ask('GET', `${BUCKET}/files/a/view`, { as: ann })).bytes.length).toBe(LARGEST);
  });

  it('do not exceed it together, whichever chunk begins', async () => {
    const size = CHUNK_SIZE + 1;
    const replies = await Promise.all(Array.from({ length: 6 }, (_, i) => chunk(`at-once-${i}`, 1 + (i % 2), size)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    await requireFree(LARGE_QUOTA - FILE - size);
  });
});

describe('documents', () => {
  beforeEach(start(QUOTA));

  it('count together with files, with their texts and a fixed part', async () => {
    await upload('a', QUOTA - 5000);
    expect(await write('n', 'x'.repeat(5001 - DOCUMENT))).toMatchObject(EXCEEDED);
    expect(await statusOf(ask('GET', `${DOCUMENTS}/n`, { as: 'key' }))).toBe(404);
    expect(await statusOf(write('n', 'x'.repeat(5000 - DOCUMENT)))).toBe(201);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
  });

  it('count more when they grow and less when they shrink, by every kind of change', async () => {
    await upload('a', QUOTA - 5000);
    await write('n', '');
    const room = 5000 - DOCUMENT;
    expect(await statusOf(change('n', { text: 'x'.repeat(room) }))).toBe(200);
    expect(await change('n', { text: 'x'.repeat(room + 1) })).toMatchObject(EXCEEDED);
    expect((await ask('GET', `${DOCUMENTS}/n`, { as: ann })).body.text).toHaveLength(room);
    // A change that adds no bytes is allowed when the quota is full.
    expect(await statusOf(change('n', { text: 'y'.repeat(room), number: 7 }))).toBe(200);
    expect(await statusOf(ask('PATCH', `${DOCUMENTS}/n/number/increment`, { as: ann, body: {} }))).toBe(200);
    expect(await statusOf(change('n', { text: 'é'.repeat(Math.floor(room / 2)) }))).toBe(200);
    expect(await statusOf(change('n', { text: '', more: ['a', 'b'] }))).toBe(200);
    await requireFree(room - '["a","b"]'.length);
    const put = (data: object) => ask('PUT', `${DOCUMENTS}/n`, { as: ann, body: { data } });
    expect(await put({ text: 'x'.repeat(room + 1), more: null })).toMatchObject(EXCEEDED);
    expect(await statusOf(put({ text: 'x'.repeat(room), more: null }))).toBe(200);
    await put({ text: '' });
    await requireFree(room);
  });

  it('count for their creator, whoever writes into them, and those of a key for no one', async () => {
    const bob = await backend.user('bob');
    const text = 'x'.repeat(MEBIBYTE / 4);
    const documents = Array.from({ length: 8 }, (_, i) => ({ $id: `b${i}`, text }));
    expect(await statusOf(ask('POST', DOCUMENTS, { as: 'key', body: { documents } }))).toBe(201);
    expect(await statusOf(write('k', text, 'key'))).toBe(201);
    await write('n', '');
    await upload('a', QUOTA - DOCUMENT - 100);
    expect(await change('n', { text: 'x'.repeat(101) }, bob)).toMatchObject(EXCEEDED);
    expect(await statusOf(change('n', { text: 'x'.repeat(100) }, bob))).toBe(200);
    await requireFree(QUOTA, bob);
    expect(await statusOf(change('n', { text: 'x'.repeat(200) }, 'key'))).toBe(200);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
  });

  it('free their room when they go, alone, in bulk, with an attribute, the collection or the database', async () => {
    for (const id of ['one', 'two', 'three']) await write(id, 'x'.repeat(1000));
    const each = DOCUMENT + 1000;
    await remove(`${DOCUMENTS}/one`, ann);
    await requireFree(QUOTA - 2 * each);
    const queries = [JSON.stringify({ method: 'equal', attribute: '$id', values: ['two'] })];
    expect(await statusOf(ask('DELETE', DOCUMENTS, { as: 'key', body: { queries } }))).toBe(200);
    await requireFree(QUOTA - each);
    await ask('PATCH', DOCUMENTS, { as: 'key', body: { data: { text: '' } } });
    await requireFree(QUOTA - DOCUMENT);
    await change('three', { text: 'x'.repeat(1000), number: 5 });
    for (const key of ['text', 'number']) await remove(`/databases/d/collections/notes/attributes/${key}`);
    await requireFree(QUOTA - DOCUMENT);
    expect(await statusOf(ask('GET', `${DOCUMENTS}/three`, { as: ann }))).toBe(200);
    await remove('/databases/d/collections/notes');
    await requireFree(QUOTA);
    await notes();
    await write('n', 'x'.repeat(1000));
    await remove('/databases/d');
    await requireFree(QUOTA);
  });

  it('do not exceed it together, however many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => write(`n${i}`, 'x'.repeat(150_000))));
    const stored = replies.filter(({ status }) => status === 201).length;
    expect(stored).toBe(6);
    await requireFree(QUOTA - stored * (DOCUMENT + 150_000));
  });
});

it('is no bound where none is set', async () => {
  await start(0)();
  for (const id of ['a', 'b']) expect(await statusOf(upload(id, LARGE_QUOTA))).toBe(201);
  expect(await statusOf(write('n', 'x'.repeat(MEBIBYTE)))).toBe(201);
});
