/** S: view, download and ranges (contract 2.7, read headers, range). */
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { refused } from './expect.ts';
import { bucket, noise, picture, stored } from './files.ts';
import type { HttpResponse } from './http.ts';
import { line, server } from './line.ts';
import { admin, guest } from './people.ts';

const open = once(() => bucket(server(), { permissions: ['read("any")', 'create("any")'] }));

async function file(name: string, bytes: Buffer): Promise<string> {
  const where = await open();
  return `${where.files}/${(await stored(admin(server()).http, where, { name, bytes })).$id}`;
}

const read = (path: string, range?: string): Promise<HttpResponse> =>
  guest(server()).http.get(path, range ? { headers: { range } } : {});

const kilobyte = once(async () => {
  const bytes = noise(1000);
  return { bytes, path: await file('bytes.bin', bytes) };
});

line('S16', 'view shows a picture inline, without script, kept for 45 days', async () => {
  const bytes = await picture(40, 30);
  const path = await file('photo.png', bytes);
  const answer = (await read(`${path}/view`)).is(200);
  expect(answer.bytes).toEqual(bytes);
  expect(answer.header('content-type')).toBe('image/png');
  expect(answer.header('content-disposition')).toBe('inline; filename="photo.png"');
  expect(answer.header('content-security-policy')).toMatch(/(^|;)\s*script-src '?none'?;/);
  expect(answer.header('x-content-type-options')).toContain('nosniff');
  expect(answer.header('cache-control')).toBe('private, max-age=3888000');
  const [, bucketId = '', fileId = ''] = /buckets\/([^/]+)\/files\/([^/]+)/.exec(path) ?? [];
  const sdk = await guest(server()).node.storage.getFileView({ bucketId, fileId });
  expect(Buffer.from(sdk)).toEqual(bytes);
});

line('S17', 'what could run is viewed as plain text; a download has its own type', async () => {
  const pages: [name: string, content: string, type: RegExp][] = [
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /^image\/svg\+xml/],
    ['page.html', '<!DOCTYPE html><html><body><script>alert(1)</script></body></html>', /^text\/html/],
  ];
  for (const [name, content, type] of pages) {
    const path = await file(name, Buffer.from(content));
    const view = (await read(`${path}/view`)).is(200);
    expect(view.header('content-type'), name).toMatch(/^text\/plain/);
    expect(view.text).toBe(content);
    const download = (await read(`${path}/download`)).is(200);
    expect(download.header('content-type'), name).toMatch(type);
    expect(download.header('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(download.header('cache-control')).toBe('private, max-age=3888000');
    expect(download.text).toBe(content);
  }
  const [, bucketId = '', fileId = ''] =
    /buckets\/([^/]+)\/files\/([^/]+)/.exec(await file('note.txt', Buffer.from('A note'))) ?? [];
  const sdk = await guest(server()).node.storage.getFileDownload({ bucketId, fileId });
  expect(Buffer.from(sdk).toString()).toBe('A note');
});

line('S18', 'a range is answered with exactly these bytes', async () => {
  const { bytes, path } = await kilobyte();
  for (const kind of ['view', 'download']) {
    const answer = (await read(`${path}/${kind}`, 'bytes=0-99')).is(206);
    expect(answer.bytes, kind).toEqual(bytes.subarray(0, 100));
    expect(answer.header('content-range'), kind).toBe('bytes 0-99/1000');
    expect(answer.header('accept-ranges'), kind).toBe('bytes');
    expect((await read(`${path}/${kind}`, 'bytes=100-499')).is(206).bytes, kind).toEqual(bytes.subarray(100, 500));
  }
});

line('S19', 'a range may be open at its end; one that cannot be met is 416', async () => {
  const { bytes, path } = await kilobyte();
  const rest = (await read(`${path}/view`, 'bytes=10-')).is(206);
  expect(rest.bytes).toEqual(bytes.subarray(10));
  expect(rest.header('content-range')).toBe('bytes 10-999/1000');
  const rule = {
    code: 416,
    type: 'storage_invalid_range',
    message: 'The requested range is not satisfiable. Please check the value of the Range header.',
  };
  await refused(
    rule,
    read(`${path}/view`, 'bytes=1000-1010'),
    read(`${path}/view`, 'bytes=5000-'),
    read(`${path}/download`, 'items=0-5'),
  );
  const either: [range: string, right: Buffer, contentRange: string][] = [
    ['bytes=-5', bytes.subarray(995), 'bytes 995-999/1000'],
    ['bytes=5-5', bytes.subarray(5, 6), 'bytes 5-5/1000'],
    ['bytes=0-1999', bytes, 'bytes 0-999/1000'],
  ];
  for (const [range, right, contentRange] of either) {
    const answer = (await read(`${path}/view`, range)).is(206, 416);
    if (answer.status === 416) {
      await refused(rule, Promise.resolve(answer));
      continue;
    }
    expect(answer.bytes, range).toEqual(right);
    expect(answer.header('content-range'), range).toBe(contentRange);
  }
});
