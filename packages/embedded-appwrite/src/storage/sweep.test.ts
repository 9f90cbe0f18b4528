import { randomBytes } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import type { Kernel } from '../kernel.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore, type Store } from '../sqlite/store.ts';
import { createStorageService, type StorageService } from './service.ts';
import { sweep } from './sweep.ts';
import { CHUNK_SIZE } from './upload/content-range.ts';

const HOUR = 3_600_000;
let backend: TestBackend;
let store: Store;
let service: StorageService;
beforeEach(async () => {
  backend = await backendOfTest();
  await backend.backend.close();
  await leave('files/aa', 'aa00', 2 * HOUR);
  await backend.restart();
  // Waits for the sweep at start to remove this file. Otherwise, that sweep could also remove files that tests leave.
  await expect.poll(() => backend.stored()).toEqual([]);
  await backend.bucket('bk', { permissions: ['read("any")'] });
  store = openStore(backend.directory, MIGRATIONS);
  const options = { directory: backend.directory, projectId: 'p1', keys: [], webOrigins: [] };
  // The sweep needs only these two parts of the kernel.
  service = createStorageService({ options, store } as unknown as Kernel);
});
afterEach(() => store.close());

async function leave(folder: string, name: string, age: number): Promise<void> {
  const file = path.join(backend.directory, 'storage', folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'left over');
  await utimes(file, new Date(Date.now() - age), new Date(Date.now() - age));
}

it('removes bytes without a row once they are old, and no others', async () => {
  await backend.upload('bk', 'kept', 'kept', { as: 'key' });
  await leave('files/aa', 'aa01', 2 * HOUR);
  await leave('files/aa', 'aa02', 0);
  await leave('incoming', 'aa03', 2 * HOUR);
  await leave('incoming', 'aa04', 0);
  expect(await sweep(service, Date.now())).toBe(2);
  const left = (await backend.stored()).map((file) => path.basename(file));
  expect(left.filter((name) => name.startsWith('aa0')).sort()).toEqual(['aa02', 'aa04']);
  expect(await sweep(service, Date.now() + 2 * HOUR)).toBe(2);
  expect(String((await backend.request('GET', '/storage/buckets/bk/files/kept/view')).bytes)).toBe('kept');
});

it('gives an unfinished upload up after a day', async () => {
  const headers = { 'Content-Range': `bytes 0-${CHUNK_SIZE - 1}/${CHUNK_SIZE + 5}` };
  await backend.upload('bk', 'half', randomBytes(CHUNK_SIZE), { as: 'key', headers });
  expect(await sweep(service, Date.now() + 23 * HOUR)).toBe(0);
  expect(await backend.stored()).toHaveLength(1);
  expect(await sweep(service, Date.now() + 25 * HOUR)).toBe(1);
  expect(await backend.stored()).toEqual([]);
  expect((await backend.request('GET', '/storage/buckets/bk/files/half', { as: 'key' })).status).toBe(404);
});

it('removes previews of files that are gone', async () => {
  for (const blob of ['aa05', 'icon-text']) await service.previews.get(blob, 'a.png', async () => Buffer.from('x'));
  await sweep(service, Date.now());
  expect(await service.previews.blobs()).toEqual(['icon-text']);
});

it('runs when the backend starts: what was on its way in is gone', async () => {
  await leave('incoming', 'aa06', 1000);
  await backend.restart();
  await expect.poll(() => backend.stored()).toEqual([]);
});
