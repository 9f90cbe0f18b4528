import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Fixture, png, startFixture } from '../../../tests/support/storage.ts';

let backend: Fixture;
beforeAll(async () => {
  backend = await startFixture();
  await backend.bucket('open', { permissions: ['read("any")'] });
  await backend.bucket('plain', { permissions: ['read("any")'], transformations: false });
  await backend.upload('open', 'wide', await png(80, 40), { as: 'key', name: 'wide.png' });
  await backend.upload('plain', 'wide', await png(80, 40), { as: 'key', name: 'wide.png' });
  await backend.upload('open', 'pdf', '%PDF-1.7\n', { as: 'key', name: 'a.pdf' });
  await backend.upload('open', 'broken', (await png(80, 40)).subarray(0, 70), { as: 'key', name: 'broken.png' });
});
afterAll(() => backend.close());

const preview = (query: string, id = 'open/files/wide') =>
  backend.ask('GET', `/storage/buckets/${id}/preview?${query}`);

it('scales, crops and converts', async () => {
  const narrow = await preview('width=20');
  expect(narrow.status).toBe(200);
  expect(narrow.headers.get('content-type')).toBe('image/png');
  expect(await sharp(narrow.bytes).metadata()).toMatchObject({ width: 20, height: 10 });
  const square = await preview('width=100&height=100&output=webp&gravity=top-left');
  expect(square.headers.get('content-type')).toBe('image/webp');
  expect(await sharp(square.bytes).metadata()).toMatchObject({ width: 100, height: 100, format: 'webp' });
});

it('takes the format from the file’s name', async () => {
  await backend.upload('open', 'named', await png(8), { as: 'key', name: 'picture.webp' });
  expect((await preview('', 'open/files/named')).headers.get('content-type')).toBe('image/webp');
  await backend.upload('open', 'odd', await png(8), { as: 'key', name: 'picture.xyz' });
  expect((await preview('', 'open/files/odd')).headers.get('content-type')).toBe('image/jpeg');
});

it('is made once and kept, over a restart too', async () => {
  const first = await preview('width=33');
  expect(first.headers.get('x-appwrite-cache')).toBe('miss');
  expect(first.headers.get('cache-control')).toBe('private, max-age=2592000');
  for (let turn = 0; turn < 2; turn++) {
    const next = await preview('width=33');
    expect(next.headers.get('x-appwrite-cache')).toBe('hit');
    expect(next.headers.get('cache-control')).toBe('private, max-age=15552000');
    expect(next.bytes.equals(first.bytes)).toBe(true);
    await backend.restart();
  }
});

it.each([
  'output=bmp',
  'output=heic',
  'width=4001',
  'width=-1',
  'height=x',
  'quality=101',
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

describe('of a file that is no picture', () => {
  it('is an icon', async () => {
    const { status, headers, bytes } = await preview('width=64', 'open/files/pdf');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/png');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64 });
  });

  it('is an icon for a broken picture too', async () => {
    const { status, bytes } = await preview('width=64', 'open/files/broken');
    expect(status).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64 });
  });
});

it('is for keys only where transformations are off', async () => {
  expect(await preview('width=20', 'plain/files/wide')).toMatchObject({
    status: 403,
    body: { type: 'storage_bucket_transformations_disabled' },
  });
  const { status } = await backend.ask('GET', '/storage/buckets/plain/files/wide/preview', { as: 'key' });
  expect(status).toBe(200);
});

it('answers HEAD', async () => {
  const { status, bytes } = await backend.ask('HEAD', '/storage/buckets/open/files/wide/preview?width=20');
  expect(status).toBe(200);
  expect(bytes).toHaveLength(0);
});

describe('of a size that is not the site’s own', () => {
  let own: Fixture;
  const ask = (query: string, as: 'guest' | 'key' = 'guest') =>
    own.ask('GET', `/storage/buckets/b/files/f/preview?${query}`, { as });
  beforeAll(async () => {
    own = await startFixture({ isOwnPreview: ({ width, height }) => width === 32 && height === 0, rateLimits: true });
    await own.bucket('b', { permissions: ['read("any")'] });
    await own.upload('b', 'f', await png(64), { as: 'key', name: 'f.png' });
  });
  afterAll(() => own.close());

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
  const own = await startFixture({ isOwnPreview: ({ width }) => width === 32, rateLimits: false });
  await own.bucket('b', { permissions: ['read("any")'] });
  await own.upload('b', 'f', await png(1500), { as: 'key', name: 'f.png' });
  const widths = Array.from({ length: 40 }, (_, index) => 1000 + index);
  const ask = (width: number) => own.ask('GET', `/storage/buckets/b/files/f/preview?width=${width}&output=png`);
  const [mine, ...answers] = await Promise.all([ask(32), ...widths.map(ask)]);
  expect(mine?.status).toBe(200);
  const busy = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(18);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy[0]?.headers.get('retry-after')).toBe('2');
  await own.close();
});

it('makes them no larger than the picture where its owner wants that', async () => {
  const own = await startFixture({ mayEnlarge: ({ output }) => output === 'jpg' });
  await own.bucket('b', { permissions: ['read("any")'] });
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await own.upload('b', 'f', bytes, { as: 'key', name: 'f.png' });
  const widthOf = async (output: string) => {
    const { bytes } = await own.ask('GET', `/storage/buckets/b/files/f/preview?width=100&output=${output}`);
    return (await sharp(bytes).metadata()).width;
  };
  expect([await widthOf('webp'), await widthOf('jpg')]).toEqual([64, 100]);
  await own.close();
});
