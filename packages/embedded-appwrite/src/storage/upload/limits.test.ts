import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { png, type Reply, type TestBackend } from '../../../tests/support/backend.ts';
import { backendOfTest } from '../../../tests/support/use-backend.ts';
import { CHUNK_SIZE } from './content-range.ts';
import { MOST_UNFINISHED } from './unfinished.ts';

const SIZE = CHUNK_SIZE + 10;
let backend: TestBackend;
let ann: string;
const start = (rateLimits: boolean) => async () => {
  // Keeps each test in one rate-limit window.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  backend = await backendOfTest({ rateLimits });
  ann = await backend.user('ann');
  await backend.bucket('bk', { permissions: ['create("users")'] });
  await backend.bucket('pictures', { permissions: ['create("users")'], allowedFileExtensions: ['png'] });
};
afterEach(() => void vi.useRealTimers());

/** Sends a chunk of a file that is ten bytes longer than one chunk. */
function chunk(
  id: string,
  number: 1 | 2,
  { as = ann, bucket = 'bk', bytes = Buffer.alloc(SIZE), name = 'file.bin', range = '' } = {},
): Promise<Reply> {
  const [begin, end] = number === 1 ? [0, CHUNK_SIZE] : [CHUNK_SIZE, SIZE];
  const headers = { 'Content-Range': range || `bytes ${begin}-${end - 1}/${SIZE}`, 'X-Appwrite-ID': id };
  return backend.upload(bucket, id, bytes.subarray(begin, end), { as, name, headers });
}
const statusOf = async (reply: Promise<Reply>) => (await reply).status;

/** Starts an upload of this many bytes and disconnects while the backend waits for them. */
async function announce(bytes: number, session: string): Promise<void> {
  const sender = backend.beginUpload(session, bytes, { expect: '100-continue' });
  sender.flushHeaders();
  await once(sender, 'continue');
  sender.destroy();
}

describe('with rate limits', () => {
  beforeEach(start(true));

  it('further chunks share one counter, whichever upload they belong to, and leave first ones theirs', async () => {
    for (let i = 0; i < 60; i++) expect(await statusOf(chunk('a', 2))).toBe(201);
    // The third and last chunk of a larger file.
    const range = `bytes ${2 * CHUNK_SIZE}-${2 * CHUNK_SIZE + 9}/${2 * CHUNK_SIZE + 10}`;
    expect(await statusOf(chunk('b', 2, { range }))).toBe(429);
    expect(await statusOf(backend.upload('bk', 'whole', 'x', { as: ann }))).toBe(201);
    expect(await statusOf(chunk('b', 2, { range, as: 'key' }))).toBe(201);
  });

  it('500 MB in ten minutes are what one user uploads, counted as they are announced', async () => {
    const bob = await backend.user('bob');
    for (let i = 0; i < 39; i++) await announce(12 * 1024 * 1024, ann);
    const send = (id: string, bytes: number, as = ann) =>
      statusOf(backend.upload('bk', id, new Uint8Array(bytes), { as }));
    expect(await send('ten', 9_000_000)).toBe(201);
    expect(await send('more', 500_000)).toBe(429);
    for (const [id, as] of Object.entries({ bob, key: 'key' })) expect(await send(id, 1, as)).toBe(201);
    vi.setSystemTime(Date.now() + 600_000);
    expect(await send('later', 1)).toBe(201);
  });
});

describe('without rate limits', () => {
  beforeEach(start(false));

  it(`${MOST_UNFINISHED} uploads of a user may be unfinished`, async () => {
    const bob = await backend.user('bob');
    for (let i = 0; i < MOST_UNFINISHED; i++) expect((await chunk(`u${i}`, 2)).status).toBe(201);
    const before = await backend.stored();
    expect(await chunk('more', 2)).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } });
    expect(await backend.stored()).toEqual(before);
    expect((await chunk('more', 2, { as: bob })).status).toBe(201);
    expect((await chunk('by-key', 2, { as: 'key' })).status).toBe(201);
    expect((await backend.upload('bk', 'whole', 'x', { as: ann })).status).toBe(201);
    expect(await chunk('u0', 1)).toMatchObject({ status: 201, body: { chunksUploaded: 2 } });
    expect((await chunk('next', 2)).status).toBe(201);
  });

  it('one that nothing was added to for ten minutes makes place for a new one', async () => {
    for (let i = 0; i < MOST_UNFINISHED; i++) await chunk(`u${i}`, 2);
    vi.setSystemTime(Date.now() + 600_000);
    expect((await chunk('more', 2)).status).toBe(429);
    vi.setSystemTime(Date.now() + 1);
    expect((await chunk('more', 2)).status).toBe(201);
    const { body } = await backend.request('GET', '/storage/buckets/bk/files', { as: 'key' });
    expect(body.files).toMatchObject([{ $id: 'more' }]);
    expect(await backend.stored()).toHaveLength(1);
  });

  it('in chunks of more than the bound at once are no more than it', async () => {
    const replies = await Promise.all(Array.from({ length: MOST_UNFINISHED + 5 }, (_, i) => chunk(`u${i}`, 2)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(MOST_UNFINISHED);
    expect(await backend.stored()).toHaveLength(MOST_UNFINISHED);
  });

  it('of a picture begin with what tells that it is one', async () => {
    const picture = Buffer.concat([await png(4), randomBytes(SIZE)]).subarray(0, SIZE);
    const named = { bucket: 'pictures', name: 'a.png' };
    expect((await chunk('p', 2, named)).body.type).toBe('storage_invalid_content_range');
    expect(await statusOf(chunk('p', 1, { ...named, bytes: Buffer.alloc(SIZE, 'text') }))).toBe(403);
    expect(await statusOf(chunk('p', 2, named))).toBe(400);
    expect(await backend.stored()).toEqual([]);
    expect(await statusOf(chunk('p', 1, { ...named, bytes: picture }))).toBe(201);
    const { body } = await chunk('p', 2, { ...named, bytes: picture });
    expect(body).toMatchObject({ chunksUploaded: 2, mimeType: 'image/png' });
  });
});
