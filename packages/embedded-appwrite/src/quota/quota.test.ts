import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply, TestBackend } from '../../tests/support/backend.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { CHUNK_SIZE } from '../storage/upload/content-range.ts';

const MEBIBYTE = 1024 * 1024;
const QUOTA = MEBIBYTE;
/** Leaves room for uploads of several chunks. */
const LARGE_QUOTA = 6 * MEBIBYTE;
/** Each file counts this many bytes besides its size. */
const FILE = 4096;
const LARGEST = LARGE_QUOTA - FILE;
/** A document counts these bytes besides its text: a fixed part and its creator's permissions. */
const DOCUMENT = 512 + '["read(\\"user:ann\\")","update(\\"user:ann\\")","delete(\\"user:ann\\")"]'.length;
const DOCUMENTS = '/databases/db/collections/notes/documents';

let backend: TestBackend;
let ann: string;
const start = (storageQuota: number) => async () => {
  backend = await backendOfTest({ storageQuota });
  ann = await backend.user('ann');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("any")'] });
  await ask('POST', '/databases', { as: 'key', body: { databaseId: 'db', name: 'db' } });
  await notes('notes');
};

const ask: TestBackend['request'] = (...args) => backend.request(...args);
/** @param bytes the file's share of the quota, its fixed part included */
const upload = (id: string, bytes: number, as = ann, headers = {}) =>
  backend.upload('bk', id, new Uint8Array(Math.max(1, bytes - FILE)), { as, headers });
const notes = (collectionId: string) =>
  ask('POST', '/databases/db/collections', {
    as: 'key',
    body: {
      collectionId,
      name: collectionId,
      documentSecurity: true,
      permissions: ['create("users")', 'update("users")'],
      attributes: [
        { key: 'text', type: 'string', size: 10_000_000 },
        { key: 'more', type: 'string', size: 10_000_000, array: true },
        { key: 'number', type: 'integer' },
      ],
    },
  });
const write = (documentId: string, text: string, as = ann) =>
  ask('POST', DOCUMENTS, { as, body: { documentId, data: { text } } });
const change = (id: string, data: object, as = ann) => ask('PATCH', `${DOCUMENTS}/${id}`, { as, body: { data } });
const remove = (path: string, as = 'key') => ask('DELETE', path, { as, body: {} });

/** Sends chunk `number` (from 1) of an upload of `total` bytes. */
function chunk(id: string, number: number, total: number, as = ann): Promise<Reply> {
  const start = (number - 1) * CHUNK_SIZE;
  const size = Math.min(CHUNK_SIZE, total - start);
  const headers = { 'Content-Range': `bytes ${start}-${start + size - 1}/${total}`, 'X-Appwrite-ID': id };
  return upload(id, size + FILE, as, headers);
}

/** Fails unless `as` has exactly this many bytes left. */
async function requireFree(bytes: number, as = ann): Promise<void> {
  expect(await upload('probe', bytes + 1, as)).toMatchObject(EXCEEDED);
  expect((await upload('probe', bytes, as)).status).toBe(201);
  expect((await remove('/storage/buckets/bk/files/probe')).status).toBe(204);
}

const EXCEEDED = {
  status: 413,
  body: {
    type: 'storage_quota_exceeded',
    code: 413,
    message: expect.stringMatching(/^You have used all of your storage \((?:1|6) MB\)\. /),
  },
};

describe('files', () => {
  beforeEach(start(QUOTA));

  it('fill the quota to the byte, and leave nothing of what is refused', async () => {
    await upload('a', QUOTA - 10_000);
    const before = await backend.stored();
    expect(await upload('b', 10_001)).toMatchObject(EXCEEDED);
    expect(await backend.stored()).toEqual(before);
    expect((await upload('b', 10_000)).status).toBe(201);
    expect(await upload('c', 1)).toMatchObject(EXCEEDED);
  });

  it('free their room when they are deleted, by their owner or a key, or with their bucket', async () => {
    await upload('a', QUOTA);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
    await remove('/storage/buckets/bk/files/a', ann);
    expect((await upload('b', QUOTA)).status).toBe(201);
    await remove('/storage/buckets/bk/files/b', 'key');
    await requireFree(QUOTA);
    await upload('a', QUOTA);
    await remove('/storage/buckets/bk');
    await backend.bucket('bk', { permissions: ['create("users")'] });
    await requireFree(QUOTA);
  });

  it('count for each user alone, for all guests together, and for no key', async () => {
    const bob = await backend.user('bob');
    await upload('a', QUOTA);
    expect((await upload('b', QUOTA, bob)).status).toBe(201);
    expect((await upload('g', QUOTA - 5, 'guest')).status).toBe(201);
    expect(await upload('h', 6, 'guest')).toMatchObject(EXCEEDED);
    for (const id of ['k', 'l']) expect((await upload(id, QUOTA, 'key')).status).toBe(201);
  });

  it('stay within the quota when many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(`at-once-${i}`, 140_000)));
    const stored = replies.filter(({ status }) => status === 201).length;
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(stored).toBeLessThanOrEqual(7);
    for (const reply of replies) if (reply.status !== 201) expect(reply).toMatchObject(EXCEEDED);
    await requireFree(QUOTA - stored * 140_000);
  });

  it('fill the quota with their rows, however small they are', async () => {
    const most = Math.floor(QUOTA / (FILE + 1));
    for (let i = 0; i < most; i++) expect((await upload(`tiny${i}`, 1)).status).toBe(201);
    expect(await upload('one-more', 1)).toMatchObject(EXCEEDED);
  });

  it('count with permissions that take more than that', async () => {
    await upload('a', 10_000);
    const path = '/storage/buckets/bk/files/a';
    const permissions = Array.from({ length: 100 }, (_, i) => `read("user:${'x'.repeat(30)}${i + 100}")`);
    expect((await ask('PUT', path, { as: 'key', body: { permissions } })).status).toBe(200);
    await requireFree(QUOTA - 10_000 - (JSON.stringify(permissions).length - FILE));
    expect((await ask('PUT', path, { as: 'key', body: { permissions: [] } })).status).toBe(200);
    await requireFree(QUOTA - 10_000);
  });

  it('count on after a restart', async () => {
    await upload('a', QUOTA - 10_000);
    await backend.restart();
    await requireFree(10_000);
  });
});

describe('uploads in chunks', () => {
  beforeEach(start(LARGE_QUOTA));

  it('count with the size that they declare from the first chunk on', async () => {
    expect(await chunk('a', 1, LARGEST + 1)).toMatchObject(EXCEEDED);
    expect(await backend.stored()).toEqual([]);
    expect((await chunk('a', 1, LARGEST)).status).toBe(201);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
    expect(await chunk('a', 2, LARGEST)).toMatchObject({ status: 201, body: { chunksUploaded: 2 } });
    expect((await ask('GET', '/storage/buckets/bk/files/a/view', { as: ann })).bytes.length).toBe(LARGEST);
  });

  it('stay within the quota when several begin, with any chunk', async () => {
    const size = CHUNK_SIZE + 1;
    const replies = await Promise.all(Array.from({ length: 6 }, (_, i) => chunk(`at-once-${i}`, 1 + (i % 2), size)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    await requireFree(LARGE_QUOTA - FILE - size);
  });

  it('free their room when they are deleted before their end', async () => {
    await chunk('a', 1, LARGEST);
    expect((await remove('/storage/buckets/bk/files/a', ann)).status).toBe(204);
    await requireFree(LARGE_QUOTA);
  });

  it('are continued by no other user', async () => {
    const bob = await backend.user('bob');
    await chunk('a', 1, LARGEST);
    expect(await chunk('a', 2, LARGEST, bob)).toMatchObject({ status: 409 });
    await requireFree(LARGE_QUOTA, bob);
  });
});

describe('documents', () => {
  beforeEach(start(QUOTA));

  it('count together with files, with their texts and a fixed part', async () => {
    await upload('a', QUOTA - 5000);
    expect(await write('n', 'x'.repeat(5001 - DOCUMENT))).toMatchObject(EXCEEDED);
    expect((await ask('GET', `${DOCUMENTS}/n`, { as: 'key' })).status).toBe(404);
    expect((await write('n', 'x'.repeat(5000 - DOCUMENT))).status).toBe(201);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
  });

  it('count more when they grow and less when they shrink, by every route', async () => {
    await upload('a', QUOTA - 5000);
    await write('n', '');
    const room = 5000 - DOCUMENT;
    expect((await change('n', { text: 'x'.repeat(room) })).status).toBe(200);
    expect(await change('n', { text: 'x'.repeat(room + 1) })).toMatchObject(EXCEEDED);
    expect((await ask('GET', `${DOCUMENTS}/n`, { as: ann })).body.text).toHaveLength(room);
    // A change that adds no bytes is allowed when the quota is full.
    expect((await change('n', { text: 'y'.repeat(room), number: 7 })).status).toBe(200);
    expect((await ask('PATCH', `${DOCUMENTS}/n/number/increment`, { as: ann, body: {} })).status).toBe(200);
    expect((await change('n', { text: 'é'.repeat(Math.floor(room / 2)) })).status).toBe(200);
    expect((await change('n', { text: '', more: ['a', 'b'] })).status).toBe(200);
    await requireFree(room - '["a","b"]'.length);
    const put = (text: string) => ask('PUT', `${DOCUMENTS}/n`, { as: ann, body: { data: { text, more: null } } });
    expect(await put('x'.repeat(room + 1))).toMatchObject(EXCEEDED);
    expect((await put('x'.repeat(room))).status).toBe(200);
    await ask('PUT', `${DOCUMENTS}/n`, { as: ann, body: { data: { text: '' } } });
    await requireFree(room);
  });

  it('count for their creator, not for the user who changes them', async () => {
    const bob = await backend.user('bob');
    await write('n', '');
    const room = QUOTA - DOCUMENT;
    await upload('a', room - 100);
    expect(await change('n', { text: 'x'.repeat(101) }, bob)).toMatchObject(EXCEEDED);
    expect((await change('n', { text: 'x'.repeat(100) }, bob)).status).toBe(200);
    await requireFree(QUOTA, bob);
    expect((await change('n', { text: 'x'.repeat(200) }, 'key')).status).toBe(200);
    expect(await upload('b', 1)).toMatchObject(EXCEEDED);
  });

  it('of a key count for no user, one by one and in bulk', async () => {
    const text = 'x'.repeat(MEBIBYTE / 4);
    const documents = Array.from({ length: 8 }, (_, i) => ({ $id: `b${i}`, text }));
    expect((await ask('POST', DOCUMENTS, { as: 'key', body: { documents } })).status).toBe(201);
    expect((await write('k', text, 'key')).status).toBe(201);
    await requireFree(QUOTA);
  });

  it('free their room when they, their collection or database are deleted', async () => {
    for (const id of ['one', 'two', 'three']) await write(id, 'x'.repeat(1000));
    const each = DOCUMENT + 1000;
    await remove(`${DOCUMENTS}/one`, ann);
    await requireFree(QUOTA - 2 * each);
    const queries = [JSON.stringify({ method: 'equal', attribute: '$id', values: ['two'] })];
    expect((await ask('DELETE', DOCUMENTS, { as: 'key', body: { queries } })).status).toBe(200);
    await requireFree(QUOTA - each);
    await ask('PATCH', DOCUMENTS, { as: 'key', body: { data: { text: '' } } });
    await requireFree(QUOTA - DOCUMENT);
    await remove('/databases/db/collections/notes');
    await requireFree(QUOTA);
    await notes('notes');
    await write('n', 'x'.repeat(1000));
    await remove('/databases/db');
    await requireFree(QUOTA);
  });

  it('count less when an attribute goes, with its values', async () => {
    await write('n', 'x'.repeat(1000));
    await change('n', { number: 5 });
    for (const key of ['text', 'number']) await remove(`/databases/db/collections/notes/attributes/${key}`);
    await requireFree(QUOTA - DOCUMENT);
    expect((await ask('GET', `${DOCUMENTS}/n`, { as: ann })).status).toBe(200);
  });

  it('stay within the quota when many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => write(`n${i}`, 'x'.repeat(150_000))));
    const stored = replies.filter(({ status }) => status === 201).length;
    expect(stored).toBe(6);
    await requireFree(QUOTA - stored * (DOCUMENT + 150_000));
  });

  it('go on counting for the id of a user who is deleted', async () => {
    await upload('a', QUOTA);
    await remove('/users/ann');
    const again = await backend.user('ann');
    expect(await upload('b', 1, again)).toMatchObject(EXCEEDED);
  });
});

it('sets no limit by default', async () => {
  await start(0)();
  for (const id of ['a', 'b']) expect((await upload(id, LARGE_QUOTA)).status).toBe(201);
  expect((await write('n', 'x'.repeat(MEBIBYTE))).status).toBe(201);
});
