/** S: previews (contract 2.7, preview). */
import { ImageFormat, ImageGravity } from 'node-appwrite';
import sharp from 'sharp';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { invalid, refused } from './expect.ts';
import { bucket, PDF, picture, stored } from './files.ts';
import type { HttpResponse, Query } from './http.ts';
import { line, server } from './line.ts';
import { admin, guest } from './people.ts';

const open = once(() => bucket(server(), { permissions: ['read("any")'] }));

/** A picture of 400 × 200 pixels, left half red, right half blue. */
const photo = once(async () => {
  const { $id } = await stored(admin(server()).http, await open(), {
    name: 'photo.png',
    bytes: await picture(400, 200),
  });
  return $id;
});

async function preview(query: Query = {}): Promise<HttpResponse> {
  const { files } = await open();
  return guest(server()).http.get(`${files}/${await photo()}/preview`, { query });
}

async function size(bytes: Buffer | ArrayBuffer): Promise<[width: number, height: number, format: string]> {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format];
}

/** Returns whether the pixel is closer to red than to blue. */
async function isRed(bytes: Buffer, x: number, y: number): Promise<boolean> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return (data[at] ?? 0) > (data[at + 2] ?? 0);
}

line('S20', 'a preview keeps the aspect by width or height alone and is cut to both', async () => {
  expect(await size((await preview({ width: 100 })).is(200).bytes)).toEqual([100, 50, 'png']);
  expect(await size((await preview({ height: 100 })).is(200).bytes)).toEqual([200, 100, 'png']);
  const square = (await preview({ width: 100, height: 100 })).is(200);
  expect(square.header('content-type')).toBe('image/png');
  expect(await size(square.bytes)).toEqual([100, 100, 'png']);
  expect([await isRed(square.bytes, 10, 50), await isRed(square.bytes, 90, 50)]).toEqual([true, false]);
  const left = (await preview({ width: 100, height: 100, gravity: 'left' })).is(200);
  expect([await isRed(left.bytes, 10, 50), await isRed(left.bytes, 90, 50)]).toEqual([true, true]);
  const { bucketId } = await open();
  const sdk = await guest(server()).node.storage.getFilePreview({
    bucketId,
    fileId: await photo(),
    width: 80,
    height: 40,
    gravity: ImageGravity.Right,
  });
  expect(await size(sdk)).toEqual([80, 40, 'png']);
});

line('S21', 'the output is of the wanted type; parameters have limits', async () => {
  const webp = (await preview({ width: 60, output: 'webp' })).is(200);
  expect(webp.header('content-type')).toBe('image/webp');
  expect(await size(webp.bytes)).toEqual([60, 30, 'webp']);
  const jpg = (await preview({ width: 60, output: 'jpg', quality: 50 })).is(200);
  expect(jpg.header('content-type')).toBe('image/jpeg');
  const { bucketId } = await open();
  const ids = { bucketId, fileId: await photo() };
  const sdk = await guest(server()).node.storage.getFilePreview({ ...ids, width: 60, output: ImageFormat.Webp });
  expect(await size(sdk)).toEqual([60, 30, 'webp']);
  await refused(invalid('output'), preview({ output: 'bmp' }));
  await refused(invalid('width'), preview({ width: 4001 }), preview({ width: -1 }), preview({ width: 'x' }));
  await refused(
    invalid('quality'),
    preview({ quality: 101 }),
    guest(server()).node.storage.getFilePreview({ ...ids, quality: 101 }),
  );
});

line('S22', 'the preview of a PDF is an icon, never an error', async () => {
  const { files } = await open();
  const { $id } = await stored(admin(server()).http, await open(), { name: 'paper.pdf', bytes: PDF });
  const answer = (await guest(server()).http.get(`${files}/${$id}/preview`, { query: { width: 100 } })).is(200);
  expect(answer.header('content-type')).toMatch(/^image\//);
  const [width, height] = await size(answer.bytes);
  expect(width * height).toBeGreaterThan(0);
});

line('S23', 'a preview says whether it was cached and may be kept', async () => {
  const first = (await preview({ width: 123 })).is(200);
  const again = (await preview({ width: 123 })).is(200);
  for (const answer of [first, again]) {
    const state = answer.header('x-appwrite-cache');
    expect(state).toMatch(/^(hit|miss)$/);
    if (state === 'hit') expect(answer.header('cache-control')).toBe('private, max-age=15552000');
    else expect(answer.header('cache-control')).toContain('private, max-age=2592000');
    expect(answer.header('content-disposition')).toBeUndefined();
  }
  expect(first.header('x-appwrite-cache')).toBe('miss');
  expect(again.header('x-appwrite-cache')).toBe('hit');
  expect(again.bytes).toEqual(first.bytes);
});
