import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { CHUNK_SIZE } from '../storage/upload/content-range.ts';
import { checkCopy } from './check-copy.ts';
import { takeCopy } from './take-copy.ts';

it('a copy has every complete file, and none that is still being uploaded', async () => {
  const backend = await backendOfTest();
  await backend.bucket('bk', { permissions: ['read("any")'] });
  expect((await backend.upload('bk', 'whole', 'the bytes', { as: 'key' })).status).toBe(201);
  const headers = { 'Content-Range': `bytes 0-${CHUNK_SIZE - 1}/${CHUNK_SIZE + 1}`, 'X-Appwrite-ID': 'half' };
  const half = await backend.upload('bk', 'half', Buffer.alloc(CHUNK_SIZE), { as: 'key', headers });
  expect(half).toMatchObject({ status: 201, body: { chunksUploaded: 1, chunksTotal: 2 } });
  const copy = join(backend.directory, 'copy');
  await takeCopy(backend.directory, copy);
  expect(await checkCopy(copy)).toMatchObject({ faults: [], files: 1 });
  const files = join(copy, 'storage', 'files');
  const names = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(names.map(({ parentPath, name }) => `${readFileSync(join(parentPath, name))}`)).toEqual(['the bytes']);
  // The original still has both.
  expect((await backend.request('GET', '/storage/buckets/bk/files/whole/view', { as: 'key' })).status).toBe(200);
  const rest = { 'Content-Range': `bytes ${CHUNK_SIZE}-${CHUNK_SIZE}/${CHUNK_SIZE + 1}`, 'X-Appwrite-ID': 'half' };
  const done = await backend.upload('bk', 'half', 'x', { as: 'key', headers: rest });
  expect(done).toMatchObject({ status: 201, body: { chunksUploaded: 2 } });
});
