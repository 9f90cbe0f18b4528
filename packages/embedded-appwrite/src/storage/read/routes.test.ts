import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, png, startFixture } from '../../../tests/support/storage.ts';

let backend: Fixture;
let ann: string;
let bob: string;
const small = randomBytes(1000);
const large = randomBytes(300_000);
beforeAll(async () => {
  backend = await startFixture();
  ann = await backend.user('ann');
  bob = await backend.user('bob');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await backend.bucket('shut');
  await backend.bucket('open', { permissions: ['read("any")'] });
  await backend.upload('bk', 'private', small, { as: ann });
  await backend.upload('open', 'small', small, { as: 'key' });
  await backend.upload('open', 'large', large, { as: 'key' });
  await backend.upload('shut', 'shut', small, { as: 'key', permissions: ['read("any")'] });
});
afterAll(() => backend.close());
const ask: Fixture['ask'] = (...args) => backend.ask(...args);

describe.each(['view', 'download', 'preview'])('the right to %s', (way) => {
  it('is the reader’s of the file where files have rights', async () => {
    expect((await ask('GET', `/storage/buckets/bk/files/private/${way}`, { as: ann })).status).toBe(200);
    expect((await ask('GET', `/storage/buckets/bk/files/private/${way}`, { as: 'key' })).status).toBe(200);
    for (const as of ['guest', bob]) {
      expect(await ask('GET', `/storage/buckets/bk/files/private/${way}`, { as })).toMatchObject({
        status: 404,
        body: { type: 'storage_file_not_found' },
      });
    }
  });

  it('is the bucket’s alone where they have none', async () => {
    expect(await ask('GET', `/storage/buckets/shut/files/shut/${way}`, { as: ann })).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    });
  });

  it('does not make files appear', async () => {
    expect((await ask('GET', `/storage/buckets/open/files/nope/${way}`)).status).toBe(404);
    expect((await ask('GET', `/storage/buckets/nope/files/small/${way}`)).body.type).toBe('storage_bucket_not_found');
  });
});

describe.each([
  ['small', small],
  ['large', large],
])('a %s file', (id, bytes) => {
  const path = `/storage/buckets/open/files/${id}`;

  it('comes whole, with its length, twice the same', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const reply = await ask('GET', `${path}/view`);
      expect(reply.status).toBe(200);
      expect(reply.bytes.equals(bytes)).toBe(true);
      expect(reply.headers.get('content-length')).toBe(String(bytes.length));
      expect(reply.headers.get('accept-ranges')).toBeNull();
    }
  });

  it('comes in parts', async () => {
    const part = async (range: string) => ask('GET', `${path}/view`, { headers: { Range: range } });
    const first = await part('bytes=0-99');
    expect(first.status).toBe(206);
    expect(first.bytes.equals(bytes.subarray(0, 100))).toBe(true);
    expect(first.headers.get('content-range')).toBe(`bytes 0-99/${bytes.length}`);
    expect(first.headers.get('accept-ranges')).toBe('bytes');
    expect((await part('bytes=10-')).bytes.equals(bytes.subarray(10))).toBe(true);
    expect((await part('bytes=-5')).bytes.equals(bytes.subarray(-5))).toBe(true);
    expect((await part('bytes=5-5')).bytes.equals(bytes.subarray(5, 6))).toBe(true);
    expect((await part(`bytes=0-${bytes.length + 9}`)).bytes.equals(bytes)).toBe(true);
    expect(await part(`bytes=${bytes.length}-`)).toMatchObject({
      status: 416,
      body: { type: 'storage_invalid_range' },
    });
  });

  it('answers HEAD as GET without a body', async () => {
    for (const [headers, status] of [
      [{}, 200],
      [{ Range: 'bytes=0-9' }, 206],
    ] as const) {
      const reply = await ask('HEAD', `${path}/download`, { headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-length')).toBe(status === 200 ? String(bytes.length) : '10');
      expect(reply.bytes).toHaveLength(0);
    }
  });
});

describe('headers', () => {
  it('of a view', async () => {
    await backend.upload('open', 'picture', await png(4), { as: 'key', name: 'a.png' });
    const { headers } = await ask('GET', '/storage/buckets/open/files/picture/view');
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toBe('inline; filename="a.png"');
    expect(headers.get('content-security-policy')).toBe('script-src none; sandbox;');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('private, max-age=3888000');
  });

  it('of a picture that is a script', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await backend.upload('open', 'svg', svg, { as: 'key', name: 'a.png' });
    const view = await ask('GET', '/storage/buckets/open/files/svg/view');
    expect(view.headers.get('content-type')).toBe('text/plain');
    const download = await ask('GET', '/storage/buckets/open/files/svg/download');
    expect(download.headers.get('content-type')).toBe('image/svg+xml');
    expect(download.headers.get('content-disposition')).toBe('attachment; filename="a.png"');
  });
});

it('answers 404 when the bytes are lost, and goes on', async () => {
  await backend.upload('open', 'lost', randomBytes(777), { as: 'key' });
  for (const file of await backend.stored()) {
    const { size } = await import('node:fs').then((fs) => fs.statSync(file));
    if (size === 777) await rm(file);
  }
  expect((await ask('GET', '/storage/buckets/open/files/lost/view')).status).toBe(404);
  expect((await ask('GET', '/storage/buckets/open/files/small/view')).status).toBe(200);
});
