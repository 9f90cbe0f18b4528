import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { png, startTestBackend, type TestBackend } from '../../../tests/support/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
  await backend.bucket('open', { permissions: ['read("any")'] });
  await backend.bucket('plain', { permissions: ['read("any")'], transformations: false });
  await backend.upload('open', 'wide', await png(80, 40), { as: 'key', name: 'wide.png' });
  await backend.upload('plain', 'wide', await png(80, 40), { as: 'key', name: 'wide.png' });
  await backend.upload('open', 'broken', (await png(80, 40)).subarray(0, 70), { as: 'key', name: 'broken.png' });
});
afterAll(() => backend.stop());

const preview = (query: string, id = 'open/files/wide') =>
  backend.request('GET', `/storage/buckets/${id}/preview?${query}`);

it('takes the format from the file’s name', async () => {
  await backend.upload('open', 'named', await png(8), { as: 'key', name: 'picture.webp' });
  expect((await preview('', 'open/files/named')).headers.get('content-type')).toBe('image/webp');
  await backend.upload('open', 'odd', await png(8), { as: 'key', name: 'picture.xyz' });
  expect((await preview('', 'open/files/odd')).headers.get('content-type')).toBe('image/jpeg');
});

it('is cached, also over a restart', async () => {
  const first = await preview('width=33');
  expect(first.headers.get('x-appwrite-cache')).toBe('miss');
  for (let turn = 0; turn < 2; turn++) {
    const next = await preview('width=33');
    expect(next.headers.get('x-appwrite-cache')).toBe('hit');
    expect(next.bytes.equals(first.bytes)).toBe(true);
    await backend.restart();
  }
});

it.each([
  'height=x',
  'quality=-2',
  'gravity=up',
  'opacity=1.1',
  'rotation=361',
  'borderWidth=101',
  'borderRadius=4001',
  'background=red',
  'borderColor=12345',
])('refuses %s, naming the parameter', async (query) => {
  const reply = await preview(query);
  expect(reply).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
  expect(reply.body.message).toContain(`\`${query.split('=')[0]}\``);
});

it('says why there is no HEIC', async () => {
  expect((await preview('output=heic')).body.message).toContain('cannot write heic');
});

it('takes every parameter at its limits', async () => {
  for (const query of [
    'width=4000&quality=0',
    'opacity=0',
    'opacity=0.5',
    'rotation=-360',
    'background=fff&borderColor=',
  ]) {
    expect((await preview(query)).status).toBe(200);
  }
});

it('is an icon of a broken picture', async () => {
  const { status, bytes } = await preview('width=64', 'open/files/broken');
  expect(status).toBe(200);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64 });
});

it('is for keys only where transformations are off', async () => {
  expect(await preview('width=20', 'plain/files/wide')).toMatchObject({
    status: 403,
    body: { type: 'storage_bucket_transformations_disabled' },
  });
  const { status } = await backend.request('GET', '/storage/buckets/plain/files/wide/preview', { as: 'key' });
  expect(status).toBe(200);
});

it('answers HEAD', async () => {
  const { status, bytes } = await backend.request('HEAD', '/storage/buckets/open/files/wide/preview?width=20');
  expect(status).toBe(200);
  expect(bytes).toHaveLength(0);
});

describe('of a size that is not the site’s own', () => {
  let own: TestBackend;
  const ask = (query: string, as: 'guest' | 'key' = 'guest') =>
    own.request('GET', `/storage/buckets/b/files/f/preview?${query}`, { as });
  beforeAll(async () => {
    own = await startTestBackend({
      isOwnPreview: ({ width, height }) => width === 32 && height === 0,
      rateLimits: true,
    });
    await own.bucket('b', { permissions: ['read("any")'] });
    await own.upload('b', 'f', await png(64), { as: 'key', name: 'f.png' });
  });
  afterAll(() => own.stop());

  it('is made for whoever may read the file, with any quality and effect, and without parameters', async () => {
    for (const query of ['width=33', 'width=32&quality=5', 'height=9&rotation=90&output=webp', 'borderRadius=4', '']) {
      expect((await ask(query)).status, query).toBe(200);
      expect((await ask(query)).headers.get('x-appwrite-cache'), query).toBe('hit');
    }
  });

  it('has three million pixels at most; those of keys may have more', async () => {
    expect((await ask('width=2000&height=1500&output=jpg')).status).toBe(200);
    expect(await ask('width=1999&height=1499&borderWidth=1&output=jpg')).toMatchObject({ status: 400 });
    expect(await ask('width=2000&height=1501&output=jpg')).toMatchObject({
      status: 400,
      body: { type: 'storage_image_resolution_exceeded' },
    });
    expect((await ask('width=2000&height=1502&output=jpg', 'key')).status).toBe(200);
  });

  it('is bounded for an address, as far as it is not kept; the site’s own and those of keys are not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses: number[] = [];
    for (let width = 100; width < 170; width++) statuses.push((await ask(`width=${width}&output=jpg`)).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
    expect(statuses.slice(0, 50)).not.toContain(429);
    expect((await ask('width=100&output=jpg')).status).toBe(200);
    expect((await ask('width=32')).status).toBe(200);
    expect((await ask('width=171', 'key')).status).toBe(200);
  });
});

it('makes two of other sizes at once, lets a few wait, and tells the rest to come back', async () => {
  const own = await startTestBackend({ isOwnPreview: ({ width }) => width === 32, rateLimits: false });
  await own.bucket('b', { permissions: ['read("any")'] });
  await own.upload('b', 'f', await png(1500), { as: 'key', name: 'f.png' });
  const widths = Array.from({ length: 40 }, (_, index) => 1000 + index);
  const ask = (width: number) => own.request('GET', `/storage/buckets/b/files/f/preview?width=${width}&output=png`);
  const [mine, ...answers] = await Promise.all([ask(32), ...widths.map(ask)]);
  expect(mine?.status).toBe(200);
  const busy = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(18);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy[0]?.headers.get('retry-after')).toBe('2');
  await own.stop();
});

it('makes them no larger than the picture where its owner wants that', async () => {
  const own = await startTestBackend({ mayEnlarge: ({ output }) => output === 'jpg' });
  await own.bucket('b', { permissions: ['read("any")'] });
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await own.upload('b', 'f', bytes, { as: 'key', name: 'f.png' });
  const widthOf = async (output: string) => {
    const { bytes } = await own.request('GET', `/storage/buckets/b/files/f/preview?width=100&output=${output}`);
    return (await sharp(bytes).metadata()).width;
  };
  expect([await widthOf('webp'), await widthOf('jpg')]).toEqual([64, 100]);
  await own.stop();
});
