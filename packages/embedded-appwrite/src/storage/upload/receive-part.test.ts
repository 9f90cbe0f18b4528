import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import { folderOfTest } from '../../../tests/support/folder.ts';
import { receivePart } from './receive-part.ts';

const HELD = 256 * 1024;
const CHUNK = 65_536;
let path: string;
beforeEach(() => {
  path = join(folderOfTest(), 'part');
});

const chunked = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => bytes.subarray(i * CHUNK, (i + 1) * CHUNK)),
  );

it.each([0, HELD])('holds %d bytes in memory and leaves the disk alone', async (size) => {
  const content = Buffer.alloc(size, 'ink');
  expect(await receivePart(chunked(content), path, 'a')).toMatchObject({ content, size });
  expect(existsSync(path)).toBe(false);
});

it('writes what is larger as it comes', async () => {
  const bytes = Buffer.alloc(HELD * 4 + 1, 'ink and paper ');
  expect(await receivePart(chunked(bytes), path, 'a')).toMatchObject({ content: path, size: bytes.length });
  expect((await readFile(path)).equals(bytes)).toBe(true);
});

it('rejects with an error that comes before anything is read', async () => {
  const source = new PassThrough();
  const received = receivePart(source, path, 'a');
  source.emit('error', new Error('broke off'));
  await expect(received).rejects.toThrow('broke off');
});
