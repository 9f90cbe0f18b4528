import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receivePart } from './receive-part.ts';

const HELD = 256 * 1024;
let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'receive-part-'));
  path = join(directory, 'part');
});
afterEach(() => rm(directory, { recursive: true }));

const chunked = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) => bytes.subarray(i * 65_536, (i + 1) * 65_536)),
  );

it('holds what is small and leaves the disk alone', async () => {
  const bytes = Buffer.alloc(HELD, 'ink');
  const { content, size, md5 } = await receivePart(chunked(bytes), path, 'a');
  expect(content).toEqual(bytes);
  expect(size).toBe(HELD);
  expect(md5).toMatch(/^[0-9a-f]{32}$/);
  expect(existsSync(path)).toBe(false);
});

it('writes what is larger as it comes', async () => {
  const bytes = Buffer.alloc(HELD * 4 + 1, 'ink and paper ');
  expect(await receivePart(chunked(bytes), path, 'a')).toMatchObject({ content: path, size: bytes.length });
  expect((await readFile(path)).equals(bytes)).toBe(true);
});

it('an empty part is empty', async () => {
  expect(await receivePart(Readable.from([]), path, 'a')).toMatchObject({ size: 0, content: Buffer.alloc(0) });
});

it('an error that is told before anybody reads is a rejection', async () => {
  const source = new PassThrough();
  const received = receivePart(source, path, 'a');
  source.emit('error', new Error('broke off'));
  await expect(received).rejects.toThrow('broke off');
});
