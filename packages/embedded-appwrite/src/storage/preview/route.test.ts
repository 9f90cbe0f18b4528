import sharp from 'sharp';
import { expect, it, onTestFinished, vi } from 'vitest';
import { png, type Reply, type TestBackend } from '../../../tests/support/backend.ts';
import { backendOfTest } from '../../../tests/support/use-backend.ts';

let backend: TestBackend;

/** Starts a backend whose bucket `b` has the picture `f`, 64 pixels wide by default. */
async function start(options: Parameters<typeof backendOfTest>[0] = {}, width = 64): Promise<void> {
  backend = await backendOfTest(options);
  await backend.bucket('b', { permissions: ['read("any")'] });
  await backend.upload('b', 'f', await png(width), { as: 'key', name: 'f.png' });
}

const ask = (query: string, as = 'guest', file = 'b/files/f'): Promise<Reply> =>
  backend.request('GET', `/storage/buckets/${file}/preview?${query}`, { as });
const cacheOf = ({ headers }: Reply) => headers.get('x-appwrite-cache');
const BAD = { status: 400, body: { type: 'general_argument_invalid' } };

it('takes the format from the name, keys alone where transformations are off, and an icon of a broken picture', async () => {
  await start();
  for (const [id, type] of Object.entries({ 'picture.webp': 'image/webp', 'picture.xyz': 'image/jpeg' })) {
    await backend.upload('b', id, await png(8), { as: 'key', name: id });
    expect((await ask('', 'guest', `b/files/${id}`)).headers.get('content-type')).toBe(type);
  }
  await backend.bucket('plain', { permissions: ['read("any")'], transformations: false });
  await backend.upload('plain', 'f', await png(8), { as: 'key', name: 'f.png' });
  const refused = { status: 403, body: { type: 'storage_bucket_transformations_disabled' } };
  expect(await ask('width=20', 'guest', 'plain/files/f')).toMatchObject(refused);
  expect((await ask('width=20', 'key', 'plain/files/f')).status).toBe(200);
  await backend.upload('b', 'broken', (await png(80, 40)).subarray(0, 70), { as: 'key', name: 'broken.png' });
  const { bytes } = await ask('width=64', 'guest', 'b/files/broken');
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64 });
});

it('takes every parameter at its limits and names one beyond them', async () => {
  await start();
  const most = ['width=4000&quality=0', 'opacity=0', 'opacity=0.5', 'rotation=-360', 'background=fff&borderColor='];
  for (const query of most) expect((await ask(query)).status, query).toBe(200);
  const beyond = ['height=x', 'quality=-2', 'gravity=up', 'opacity=1.1', 'rotation=361', 'borderWidth=101'];
  for (const query of [...beyond, 'borderRadius=4001', 'background=red', 'borderColor=12345', 'output=heic']) {
    const reply = await ask(query);
    expect(reply, query).toMatchObject(BAD);
    expect(reply.body.message).toContain(`\`${query.split('=')[0]}\``);
  }
});

const isOwnPreview = ({ width, height }: { width: number; height: number }) => width === 32 && height === 0;

it('is made in another size than the site’s, of at most three million pixels, and for keys of more', async () => {
  await start({ isOwnPreview });
  for (const query of ['width=33', 'width=32&quality=5', 'height=9&rotation=90&output=webp', 'borderRadius=4', '']) {
    expect((await ask(query)).status, query).toBe(200);
    expect(cacheOf(await ask(query)), query).toBe('hit');
  }
  expect((await ask('width=2000&height=1500&output=jpg')).status).toBe(200);
  for (const query of ['width=1999&height=1499&borderWidth=1&output=jpg', 'width=2000&height=1501&output=jpg'])
    expect((await ask(query)).body.type).toBe('storage_image_resolution_exceeded');
  expect((await ask('width=2000&height=1502&output=jpg', 'key')).status).toBe(200);
});

it('is made 60 times a minute for an address; cached ones, those of the site’s size and those of keys do not count', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await start({ isOwnPreview, rateLimits: true });
  const statuses: number[] = [];
  for (let width = 100; width < 161; width++) statuses.push((await ask(`width=${width}&output=jpg`)).status);
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
  for (const query of ['width=100&output=jpg', 'width=32']) expect((await ask(query)).status).toBe(200);
  expect((await ask('width=171', 'key')).status).toBe(200);
});

it('is made in another size than the site’s, two at a time; a few wait, the rest are told to come back', async () => {
  await start({ isOwnPreview }, 1500);
  const widths = Array.from({ length: 40 }, (_, index) => 1000 + index);
  const [mine, ...answers] = await Promise.all([32, ...widths].map((width) => ask(`width=${width}&output=png`)));
  expect(mine?.status).toBe(200);
  const busy = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(18);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy[0]?.headers.get('retry-after')).toBe('2');
});

it('is no larger than the picture where `mayEnlarge` says so', async () => {
  await start({ mayEnlarge: ({ output }) => output === 'jpg' });
  const widthOf = async (output: string) =>
    (await sharp((await ask(`width=100&output=${output}`)).bytes).metadata()).width;
  expect([await widthOf('webp'), await widthOf('jpg')]).toEqual([64, 100]);
});
