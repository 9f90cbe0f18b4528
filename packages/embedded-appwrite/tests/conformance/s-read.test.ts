/** S: view, download, ranges and previews (contract 2.7). */
import { ImageFormat, ImageGravity } from 'node-appwrite';
import sharp from 'sharp';
import { once } from './cleanup.ts';
import { error, invalid, refused } from './expect.ts';
import { bucket, noise, PDF, picture, stored } from './files.ts';
import type { HttpResponse, Query } from './http.ts';
import { expect, test } from './kit.ts';
import { guestOf, keyOf } from './people.ts';

const open = once(() => bucket({ permissions: ['read("any")', 'create("any")'] }));

async function file(name: string, bytes: Buffer) {
  const { bucketId, files } = await open();
  const { $id: fileId } = await stored(keyOf().http, await open(), { name, bytes });
  return { path: `${files}/${fileId}`, ids: { bucketId, fileId } };
}

const read = (path: string, range?: string) => guestOf().http.get(path, range ? { headers: { range } } : {});

const hasHeaders = (answer: HttpResponse, expected: Record<string, unknown>): void =>
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, answer.header(name)]))).toEqual(expected);

test('S16 view shows a picture inline, without script, kept for 45 days', async ({ guest }) => {
  const bytes = await picture(40, 30);
  const { path, ids } = await file('photo.png', bytes);
  const answer = await read(`${path}/view`).is(200);
  expect(answer.bytes).toEqual(bytes);
  hasHeaders(answer, {
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="photo.png"',
    'content-security-policy': expect.stringMatching(/(^|;)\s*script-src '?none'?;/),
    'x-content-type-options': expect.stringContaining('nosniff'),
    'cache-control': 'private, max-age=3888000',
  });
  expect(Buffer.from(await guest.node.storage.getFileView(ids))).toEqual(bytes);
});

test('S17 what could run is viewed as plain text; a download has its own type', async ({ guest }) => {
  for (const [name, content, type] of [
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /^image\/svg\+xml/],
    ['page.html', '<!DOCTYPE html><html><body><script>alert(1)</script></body></html>', /^text\/html/],
  ] as const) {
    const { path } = await file(name, Buffer.from(content));
    const [view, download] = [await read(`${path}/view`).is(200), await read(`${path}/download`).is(200)];
    for (const answer of [view, download]) expect(answer.text).toBe(content);
    hasHeaders(view, { 'content-type': expect.stringMatching(/^text\/plain/) });
    hasHeaders(download, {
      'content-type': expect.stringMatching(type),
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, max-age=3888000',
    });
  }
  const { ids } = await file('note.txt', Buffer.from('A note'));
  expect(Buffer.from(await guest.node.storage.getFileDownload(ids)).toString()).toBe('A note');
});

const kilobyte = once(async () => {
  const bytes = noise(1000);
  return { bytes, ...(await file('bytes.bin', bytes)) };
});

test('S18 a range is answered with exactly these bytes', async () => {
  const { bytes, path } = await kilobyte();
  for (const kind of ['view', 'download']) {
    const answer = await read(`${path}/${kind}`, 'bytes=0-99').is(206);
    expect(answer.bytes, kind).toEqual(bytes.subarray(0, 100));
    hasHeaders(answer, { 'content-range': 'bytes 0-99/1000', 'accept-ranges': 'bytes' });
    expect((await read(`${path}/${kind}`, 'bytes=100-499').is(206)).bytes, kind).toEqual(bytes.subarray(100, 500));
  }
});

test('S19 a range may be open at its end; one that cannot be met is 416', async () => {
  const { bytes, path } = await kilobyte();
  const message = 'The requested range is not satisfiable. Please check the value of the Range header.';
  const rule = error(416, 'storage_invalid_range', message);
  const beyond = ['bytes=1000-1010', 'bytes=5000-', 'items=0-5'];
  for (const kind of ['view', 'download'])
    await refused(rule, ...beyond.map((range) => read(`${path}/${kind}`, range)));
  // Appwrite may respond with 416 to all of these ranges except the first.
  for (const [range, right, contentRange, ...statuses] of [
    ['bytes=10-', bytes.subarray(10), 'bytes 10-999/1000'],
    ['bytes=-5', bytes.subarray(995), 'bytes 995-999/1000', 416],
    ['bytes=5-5', bytes.subarray(5, 6), 'bytes 5-5/1000', 416],
    ['bytes=0-1999', bytes, 'bytes 0-999/1000', 416],
  ] as const) {
    const answer = await read(`${path}/view`, range).is(206, ...statuses);
    if (answer.status === 416) await refused(rule, answer);
    else expect([answer.bytes, answer.header('content-range')], range).toEqual([right, contentRange]);
  }
});

/** A picture of 400 × 200 pixels, left half red, right half blue. */
const photo = once(async () => file('photo.png', await picture(400, 200)));
const preview = async (query: Query = {}) => guestOf().http.get(`${(await photo()).path}/preview`, { query });

async function size(bytes: Buffer | ArrayBuffer) {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format] as const;
}

async function isRed(bytes: Buffer, x: number, y: number): Promise<boolean> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return (data[at] ?? 0) > (data[at + 2] ?? 0);
}

test('S20 a preview keeps the aspect by width or height alone and is cut to both', async ({ guest }) => {
  const square = { width: 100, height: 100 };
  for (const [query, expected, colours] of [
    [{ width: 100 }, [100, 50, 'png'], [true, false]],
    [{ height: 100 }, [200, 100, 'png'], [true, true]],
    [square, [100, 100, 'png'], [true, false]],
    [{ ...square, gravity: 'left' }, [100, 100, 'png'], [true, true]],
  ] as const) {
    const { bytes } = (await preview(query)).is(200);
    expect(await size(bytes)).toEqual(expected);
    const y = Math.min(50, expected[1] - 1);
    expect([await isRed(bytes, 10, y), await isRed(bytes, 90, y)]).toEqual(colours);
  }
  hasHeaders(await preview(square), { 'content-type': 'image/png' });
  const { ids } = await photo();
  const sdk = await guest.node.storage.getFilePreview({ ...ids, width: 80, height: 40, gravity: ImageGravity.Right });
  expect(await size(sdk)).toEqual([80, 40, 'png']);
});

test('S21 the output is of the wanted type; parameters have limits', async ({ guest }) => {
  const webp = (await preview({ width: 60, output: 'webp' })).is(200);
  hasHeaders(webp, { 'content-type': 'image/webp' });
  const { ids } = await photo();
  const sdk = await guest.node.storage.getFilePreview({ ...ids, width: 60, output: ImageFormat.Webp });
  for (const bytes of [webp.bytes, sdk]) expect(await size(bytes)).toEqual([60, 30, 'webp']);
  hasHeaders((await preview({ width: 60, output: 'jpg', quality: 50 })).is(200), { 'content-type': 'image/jpeg' });
  await refused(invalid('output'), preview({ output: 'bmp' }));
  await refused(invalid('width'), preview({ width: 4001 }), preview({ width: -1 }), preview({ width: 'x' }));
  await refused(invalid('quality'), preview({ quality: 101 }));
});

test('S22 the preview of a PDF is an icon, never an error', async () => {
  const answer = await read(`${(await file('paper.pdf', PDF)).path}/preview?width=100`).is(200);
  expect(answer.header('content-type')).toMatch(/^image\//);
  const [width, height] = await size(answer.bytes);
  expect(width * height).toBeGreaterThan(0);
});

test('S23 a preview says whether it was cached and may be kept', async () => {
  const [first, again] = [(await preview({ width: 123 })).is(200), (await preview({ width: 123 })).is(200)];
  const none = { 'content-disposition': undefined };
  const age = expect.stringContaining('private, max-age=2592000');
  hasHeaders(first, { 'x-appwrite-cache': 'miss', 'cache-control': age, ...none });
  hasHeaders(again, { 'x-appwrite-cache': 'hit', 'cache-control': 'private, max-age=15552000', ...none });
  expect(again.bytes).toEqual(first.bytes);
});
