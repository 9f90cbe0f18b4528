import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { png, type Reply, type TestBackend } from '../../../tests/support/backend.ts';
import { useBackend } from '../../../tests/support/use-backend.ts';
import { CHUNK_SIZE } from './content-range.ts';

let ann: string;
let bob: string;
const backend = useBackend({}, async ({ server }) => {
  [ann, bob] = [await server.user('ann'), await server.user('bob')];
  await server.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  const allowedFileExtensions = ['png', 'jpg', 'bin'];
  await server.bucket('open', { permissions: ['read("any")', 'create("any")'], allowedFileExtensions });
});

const FILES = '/storage/buckets/bk/files';
const ask: TestBackend['request'] = (...args) => backend.request(...args);
const upload: TestBackend['upload'] = (...args) => backend.upload(...args);

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const RANGE = { 'Content-Range': 'bytes 0-5/20' };
const BAD_RANGE = 'storage_invalid_content_range';
const FORM = { 'Content-Type': 'multipart/form-data' };
const LARGE = 12 * 1024 * 1024;
const cases: [string, () => Promise<Reply>, number, string][] = [
  ['of nothing', () => upload('bk', 'x', '', { as: ann }), 400, 'storage_file_empty'],
  ['as JSON', () => ask('POST', FILES, { as: ann, body: { fileId: 'x' } }), 400, 'storage_file_empty'],
  ['without an id', () => ask('POST', FILES, { as: ann }), 400, 'general_argument_invalid'],
  ['of text named .png', () => upload('open', 'x', 'just text', { name: 'a.png' }), 403, 'storage_invalid_file'],
  ['of a script named .JPG', () => upload('open', 'x', SVG, { name: 'a.JPG' }), 403, 'storage_invalid_file'],
  ['with a wrong range', () => upload('bk', 'x', 'x', { as: ann, headers: RANGE }), 400, BAD_RANGE],
  ['that is no form', () => ask('POST', FILES, { as: ann, body: {}, headers: FORM }), 400, 'general_bad_request'],
  ['of 12 MiB', () => upload('bk', 'x', Buffer.alloc(LARGE), { as: ann }), 413, 'general_payload_too_large'],
  ['of 20 MB', () => upload('bk', 'x', Buffer.alloc(2e7), { as: ann }), 413, 'general_payload_too_large'],
];

it.each(cases)('an upload %s is refused and leaves nothing', async (_, send, status, type) => {
  const before = await backend.stored();
  expect(await send()).toMatchObject({ status, body: { type, code: status } });
  expect(await backend.stored()).toEqual(before);
});

it('a refused upload leaves a file with the same id as it was, of several at once one wins', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => upload('bk', 'race', randomBytes(1000), { as: ann })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const before = await backend.stored();
  const { bytes } = await ask('GET', `${FILES}/race/view`, { as: ann });
  expect((await upload('bk', 'race', 'second', { as: ann })).body.type).toBe('storage_file_already_exists');
  expect(await backend.stored()).toEqual(before);
  expect((await ask('GET', `${FILES}/race/view`, { as: ann })).bytes.equals(bytes)).toBe(true);
});

it('a refused upload leaves nothing when it breaks off', async () => {
  const before = await backend.stored();
  const sender = backend.beginUpload(ann, 1_000_000);
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.bin"';
  sender.write(`--b\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`);
  sender.write(Buffer.alloc(300_000));
  await expect.poll(() => backend.stored()).toHaveLength(before.length + 1);
  sender.destroy();
  await expect.poll(() => backend.stored()).toEqual(before);
});

it('accepts a picture under another picture’s name, and text as .png where every name is allowed', async () => {
  expect((await upload('open', 'gif', await png(4), { name: 'a.jpg' })).status).toBe(201);
  expect((await upload('bk', 'text', 'just text', { as: ann, name: 'a.png' })).status).toBe(201);
});

const bytes = randomBytes(2 * CHUNK_SIZE + 1000);
const signature = createHash('md5').update(bytes).digest('hex');

function sendChunk(fileId: string, n: number, { as = ann, of = bytes } = {}): Promise<Reply> {
  const start = (n - 1) * CHUNK_SIZE;
  const slice = of.subarray(start, start + CHUNK_SIZE);
  const range = { 'Content-Range': `bytes ${start}-${start + slice.length - 1}/${of.length}` };
  const headers = n > 1 ? { ...range, 'X-Appwrite-ID': fileId } : range;
  return upload('bk', fileId, slice, { as, name: '日本 é.bin', headers });
}

it('a file in chunks may begin with any chunk, even all at once, and is complete once', async () => {
  backend.events.length = 0;
  const replies = await Promise.all([3, 1, 2].map((n) => sendChunk('jumbled', n)));
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(replies.map(({ body }) => body.chunksUploaded).sort()).toEqual([1, 2, 3]);
  expect(backend.events).toHaveLength(1);
  const { body } = await ask('GET', `${FILES}/jumbled`, { as: ann });
  expect(body).toMatchObject({ signature, name: '日本 é.bin' });
  expect((await ask('GET', `${FILES}/jumbled/download`, { as: ann })).bytes.equals(bytes)).toBe(true);
  expect((await sendChunk('one', 1, { of: randomBytes(10) })).body).toMatchObject({ chunksTotal: 1, sizeActual: 10 });
});

it('a file in chunks goes on after a restart', async () => {
  for (const n of [1, 3]) {
    await sendChunk('resumed', n);
    await backend.restart();
  }
  expect((await sendChunk('resumed', 2)).body).toMatchObject({ chunksUploaded: 3, signature });
});

it('a file in chunks is continued by its owner alone, in its size, and deleted with its bytes', async () => {
  const before = await backend.stored();
  await sendChunk('mine', 1);
  const taken = { code: 409, type: 'storage_file_already_exists' };
  expect((await sendChunk('mine', 2, { as: bob })).body).toMatchObject(taken);
  const larger = Buffer.concat([bytes, randomBytes(1)]);
  const invalid = { code: 400, type: BAD_RANGE };
  expect((await sendChunk('mine', 2, { of: larger })).body).toMatchObject(invalid);
  expect((await ask('GET', `${FILES}/mine`, { as: ann })).body.chunksUploaded).toBe(1);
  expect((await ask('DELETE', `${FILES}/mine`, { as: ann, body: {} })).status).toBe(204);
  expect(await backend.stored()).toEqual(before);
});
