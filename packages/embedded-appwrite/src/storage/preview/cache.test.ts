import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { byteCache } from '../byte-cache.ts';
import { PreviewCache } from './cache.ts';

const BLOB = 'aa00';
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'previews-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Opens a cache of `limit` bytes whose memory holds nothing, so that every read goes to disk. */
const open = (limit = 1000) => new PreviewCache({ directory, limit, memory: byteCache(1) });
const bytes = (size: number) => vi.fn(async () => Buffer.alloc(size, 1));

async function filesOnDisk(): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

it('makes a picture once, however many ask at the same time', async () => {
  const cache = open();
  const make = bytes(10);
  const answers = await Promise.all([1, 2, 3].map(() => cache.get(BLOB, 'a.png', make)));
  expect(make).toHaveBeenCalledTimes(1);
  expect(answers.map(({ hit }) => hit)).toEqual([false, false, false]);
  expect(await cache.get(BLOB, 'a.png', make)).toMatchObject({ hit: true, body: Buffer.alloc(10, 1) });
});

it('is still warm after a restart', async () => {
  await open().get(BLOB, 'a.png', bytes(10));
  const make = bytes(10);
  expect(await open().get(BLOB, 'a.png', make)).toMatchObject({ hit: true });
  expect(make).not.toHaveBeenCalled();
});

it('stays within its bytes, giving up the least recently used', async () => {
  const cache = open(30);
  for (const name of ['a', 'b', 'c']) await cache.get(BLOB, name, bytes(10));
  await cache.get(BLOB, 'a', bytes(10));
  await cache.get(BLOB, 'd', bytes(10));
  expect(await filesOnDisk()).toBe(3);
  expect((await cache.get(BLOB, 'a', bytes(10))).hit).toBe(true);
  expect((await cache.get(BLOB, 'b', bytes(10))).hit).toBe(false);
});

it('forgets all pictures of a blob, and no others', async () => {
  const cache = open();
  await cache.get(BLOB, 'a', bytes(10));
  await cache.get(BLOB, 'b', bytes(10));
  await cache.get('aa01', 'a', bytes(10));
  await cache.forget(BLOB);
  expect(await filesOnDisk()).toBe(1);
  expect(await cache.blobs()).toEqual(['aa01']);
});

it('keeps nothing of a failure', async () => {
  const cache = open();
  await expect(cache.get(BLOB, 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect((await cache.get(BLOB, 'a', bytes(10))).hit).toBe(false);
});

it('removes what a crash left half written', async () => {
  await open().get(BLOB, 'a', bytes(10));
  await writeFile(path.join(directory, 'aa', BLOB, '.half'), 'x');
  await open().blobs();
  expect(await filesOnDisk()).toBe(1);
});
