import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { mediaTypeOf } from './media-type.ts';

async function typeOf(bytes: string | Buffer): Promise<string> {
  const file = join(folderOfTest(), 'file');
  await writeFile(file, bytes);
  const size = Buffer.byteLength(bytes);
  const type = await mediaTypeOf(({ start, end }) => createReadStream(file, { start, end: end - 1 }), size);
  expect(await mediaTypeOf(Buffer.from(bytes as string), size)).toBe(type);
  return type;
}

it.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['\ufeff<?xml version="1.0"?>\n<!-- made by hand --><svg/>', 'image/svg+xml'],
  ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>', 'image/svg+xml'],
  ['<?xml version="1.0"?><feed/>', 'text/xml'],
  ['<!doctype html><title>x</title>', 'text/html'],
  ['  <script>alert(1)</script>', 'text/html'],
  ['{"a": [1, 2]}', 'application/json'],
  ['[1, 2]', 'application/json'],
  ['{not json', 'text/plain'],
  ['[link](https://example.com)', 'text/plain'],
  ['plain words, also ünïcödé', 'text/plain'],
  ['%PDF-1.7\n', 'application/pdf'],
])('%j is %s', async (text, type) => expect(await typeOf(text)).toBe(type));

it('knows pictures whatever their name', async () => {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: '#123456' } });
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const)
    expect(await typeOf(await image.clone().toFormat(format).toBuffer())).toBe(`image/${format}`);
});

it('gives bytes of no known kind no name', async () => {
  expect(await typeOf(Buffer.from([0, 1, 2, 3, 0, 255]))).toBe('application/octet-stream');
  expect(await typeOf(Buffer.from([0xff, 0xfe, 0xfd, 0x20]))).toBe('application/octet-stream');
});
