import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { folderOfTest } from '../../../tests/support/folder.ts';
import { byteCache } from '../byte-cache.ts';
import { PreviewCache } from './cache.ts';

const BLOB = 'aa00';
let directory: string;
beforeEach(() => {
  directory = folderOfTest();
});

/** Opens a cache of `limit` bytes. Its memory is too small for any preview, so that every read goes to disk. */
const open = (limit = 1000) => new PreviewCache({ directory, limit, memory: byteCache(1), hasRoom: () => true });
const ten = async () => Buffer.alloc(10, 1);

async function filesOnDisk(): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

it('makes a picture once for concurrent requests and keeps it over a restart', async () => {
  const cache = open();
  const make = vi.fn(ten);
  const answers = await Promise.all([1, 2, 3].map(() => cache.get(BLOB, 'a.png', make)));
  expect(answers.map(({ hit }) => hit)).toEqual([false, false, false]);
  for (const each of [cache, open()])
    expect(await each.get(BLOB, 'a.png', make)).toMatchObject({ hit: true, body: Buffer.alloc(10, 1) });
  expect(make).toHaveBeenCalledTimes(1);
});

it('stays within its bytes, giving up the least recently used', async () => {
  const cache = open(30);
  for (const name of ['a', 'b', 'c', 'a', 'd']) await cache.get(BLOB, name, ten);
  expect(await filesOnDisk()).toBe(3);
  expect((await cache.get(BLOB, 'a', ten)).hit).toBe(true);
  expect((await cache.get(BLOB, 'b', ten)).hit).toBe(false);
});

it('forgets all pictures of a blob, and no others', async () => {
  const cache = open();
  for (const [blob = '', name = ''] of [`${BLOB} a`, `${BLOB} b`, 'aa01 a'].map((place) => place.split(' ')))
    await cache.get(blob, name, ten);
  await cache.forget(BLOB);
  expect(await filesOnDisk()).toBe(1);
  expect(await cache.blobs()).toEqual(['aa01']);
});

it('keeps nothing of a failure or a crash', async () => {
  const cache = open();
  await expect(cache.get(BLOB, 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect((await cache.get(BLOB, 'a', ten)).hit).toBe(false);
  await writeFile(path.join(directory, 'aa', BLOB, '.half'), 'x');
  await open().blobs();
  expect(await filesOnDisk()).toBe(1);
});
