import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { png, type Reply, startTestBackend, type TestBackend } from '../../../tests/support/backend.ts';
import { CHUNK_SIZE } from './content-range.ts';

let backend: TestBackend;
let ann: string;
let bob: string;
beforeAll(async () => {
  backend = await startTestBackend();
  ann = await backend.user('ann');
  bob = await backend.user('bob');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await backend.bucket('open', {
    permissions: ['read("any")', 'create("any")'],
    allowedFileExtensions: ['png', 'jpg', 'bin'],
    maximumFileSize: 10_000_000,
  });
});
afterAll(() => backend.stop());

const ask: TestBackend['request'] = (...args) => backend.request(...args);
const upload: TestBackend['upload'] = (...args) => backend.upload(...args);
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

function sendChunk(
  fileId: string,
  bytes: Buffer,
  n: number,
  {
    as = ann,
    headers = {},
    bucketId = 'bk',
  }: { as?: string; headers?: Record<string, string>; bucketId?: string } = {},
): Promise<Reply> {
  const start = (n - 1) * CHUNK_SIZE;
  const slice = bytes.subarray(start, start + CHUNK_SIZE);
  return upload(bucketId, fileId, slice, {
    as,
    name: 'big.bin',
    headers: {
      'Content-Range': `bytes ${start}-${start + slice.length - 1}/${bytes.length}`,
      ...(n > 1 && { 'X-Appwrite-ID': fileId }),
      ...headers,
    },
  });
}

it('keeps a name in any script', async () => {
  expect((await upload('bk', 'script', 'x', { as: ann, name: '日本 é.png' })).body.name).toBe('日本 é.png');
});

describe('a refused upload', () => {
  const cases: [string, () => Promise<Reply>, number, string][] = [
    ['of nothing', () => upload('bk', 'x', '', { as: ann }), 400, 'storage_file_empty'],
    [
      'as JSON',
      () => ask('POST', '/storage/buckets/bk/files', { as: ann, body: { fileId: 'x' } }),
      400,
      'storage_file_empty',
    ],
    ['without an id', () => ask('POST', '/storage/buckets/bk/files', { as: ann }), 400, 'general_argument_invalid'],
    [
      'of text by a picture’s name',
      () => upload('open', 'x', 'just text', { name: 'a.png' }),
      403,
      'storage_invalid_file',
    ],
    [
      'of a script by a picture’s name',
      () => upload('open', 'x', '<svg xmlns="http://www.w3.org/2000/svg"/>', { name: 'a.JPG' }),
      403,
      'storage_invalid_file',
    ],
    [
      'of chunks of text by a picture’s name',
      () =>
        upload('open', 'x', 'text'.repeat(CHUNK_SIZE / 4), {
          name: 'a.png',
          headers: { 'Content-Range': `bytes 0-${CHUNK_SIZE - 1}/${CHUNK_SIZE + 1}` },
        }),
      403,
      'storage_invalid_file',
    ],
    [
      'larger than the bucket allows',
      () => upload('open', 'x', new Uint8Array(10_000_001), { name: 'a.BIN' }),
      400,
      'storage_invalid_file_size',
    ],
    [
      'that declares too large a size',
      () => upload('open', 'x', 'x', { name: 'a.png', headers: { 'Content-Range': 'bytes 0-0/10000001' } }),
      400,
      'storage_invalid_file_size',
    ],
    [
      'with a range that does not fit its bytes',
      () => upload('bk', 'x', 'x', { as: ann, headers: { 'Content-Range': 'bytes 0-5/20' } }),
      400,
      'storage_invalid_content_range',
    ],
    [
      'that is no form',
      () =>
        ask('POST', '/storage/buckets/bk/files', {
          as: ann,
          body: {},
          headers: { 'Content-Type': 'multipart/form-data' },
        }),
      400,
      'general_bad_request',
    ],
  ];

  it.each(cases)('%s is answered as the contract says and leaves nothing', async (_, send, status, type) => {
    const before = await backend.stored();
    expect(await send()).toMatchObject({ status, body: { type, code: status } });
    expect(await backend.stored()).toEqual(before);
  });

  it('is not one of a picture of another format, nor of text where all names are welcome', async () => {
    expect((await upload('open', 'gif', await png(4), { name: 'a.jpg' })).status).toBe(201);
    expect((await upload('bk', 'text', 'just text', { as: ann, name: 'a.png' })).status).toBe(201);
  });

  it('at exactly the limits is accepted', async () => {
    expect((await upload('open', 'full', new Uint8Array(10_000_000))).status).toBe(201);
  });

  it('with a taken id is a conflict, and the first file stays', async () => {
    await upload('bk', 'taken', 'first', { as: ann });
    const before = await backend.stored();
    expect(await upload('bk', 'taken', 'second', { as: ann })).toMatchObject({
      status: 409,
      body: { type: 'storage_file_already_exists' },
    });
    expect(await backend.stored()).toEqual(before);
    expect(String((await ask('GET', '/storage/buckets/bk/files/taken/view', { as: ann })).bytes)).toBe('first');
  });

  it('lets one of two at the same moment win', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => upload('bk', 'race', randomBytes(1000), { as: ann })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('over 12 MiB gets a readable 413', async () => {
    const before = await backend.stored();
    for (const size of [12 * 1024 * 1024, 20_000_000]) {
      expect(await upload('bk', 'huge', new Uint8Array(size), { as: ann })).toMatchObject({
        status: 413,
        body: { type: 'general_payload_too_large' },
      });
    }
    expect(await backend.stored()).toEqual(before);
  });

  it('that breaks off leaves nothing', async () => {
    const before = await backend.stored();
    const { port } = new URL(`${backend.origin}/v1`);
    const sender = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/v1/storage/buckets/bk/files',
      headers: {
        'X-Appwrite-Project': 'p1',
        'X-Appwrite-Session': ann,
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Length': 1_000_000,
      },
    });
    sender.on('error', () => {});
    sender.write(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
    );
    sender.write(Buffer.alloc(300_000));
    await vi.waitFor(async () => expect(await backend.stored()).toHaveLength(before.length + 1), 10_000);
    sender.destroy();
    await vi.waitFor(async () => expect(await backend.stored()).toEqual(before), 10_000);
  });
});

describe('a file in chunks', () => {
  const bytes = randomBytes(2 * CHUNK_SIZE + 1000);

  it('takes them all at once, one answer only being complete', async () => {
    const large = randomBytes(5 * CHUNK_SIZE - 7);
    backend.events.length = 0;
    await sendChunk('parallel', large, 1);
    const replies = await Promise.all([2, 3, 4, 5].map((n) => sendChunk('parallel', large, n)));
    expect(replies.map(({ body }) => body.chunksUploaded).sort()).toEqual([2, 3, 4, 5]);
    expect(backend.events).toHaveLength(1);
    const { bytes: stored } = await ask('GET', '/storage/buckets/bk/files/parallel/download', { as: ann });
    expect(stored.equals(large)).toBe(true);
  });

  it('may begin with any chunk, even all at once', async () => {
    const replies = await Promise.all([3, 1, 2].map((n) => sendChunk('jumbled', bytes, n)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { body } = await ask('GET', '/storage/buckets/bk/files/jumbled', { as: ann });
    expect(body.signature).toBe(md5(bytes));
  });

  it('goes on after a restart', async () => {
    await sendChunk('resumed', bytes, 1);
    await backend.restart();
    await sendChunk('resumed', bytes, 3);
    await backend.restart();
    expect((await sendChunk('resumed', bytes, 2)).body).toMatchObject({ chunksUploaded: 3, signature: md5(bytes) });
  });

  it('cannot be continued by anybody else', async () => {
    await sendChunk('mine', bytes, 1);
    expect(await sendChunk('mine', bytes, 2, { as: bob })).toMatchObject({
      status: 409,
      body: { type: 'storage_file_already_exists' },
    });
    expect((await ask('GET', '/storage/buckets/bk/files/mine', { as: ann })).body.chunksUploaded).toBe(1);
  });

  it('cannot change its size on the way', async () => {
    await sendChunk('sized', bytes, 1);
    const other = randomBytes(2 * CHUNK_SIZE + 1001);
    expect(await sendChunk('sized', other, 2)).toMatchObject({
      status: 400,
      body: { type: 'storage_invalid_content_range' },
    });
  });

  it('is deleted with its bytes before it is complete', async () => {
    const before = await backend.stored();
    await sendChunk('partial', bytes, 1);
    expect((await ask('DELETE', '/storage/buckets/bk/files/partial', { as: ann, body: {} })).status).toBe(204);
    expect(await backend.stored()).toEqual(before);
  });

  it('may be one chunk long', async () => {
    const small = randomBytes(10);
    expect(await sendChunk('one', small, 1)).toMatchObject({
      status: 201,
      body: { chunksUploaded: 1, chunksTotal: 1 },
    });
  });
});
