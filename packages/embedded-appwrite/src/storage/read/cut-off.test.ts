import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { png, type TestBackend } from '../../../tests/support/backend.ts';
import { backendOfTest } from '../../../tests/support/use-backend.ts';

const FILE = '/storage/buckets/open/files/file';
let backend: TestBackend;
let picture: Buffer;
beforeEach(async () => {
  backend = await backendOfTest();
  picture = await png(900, 700);
  await backend.bucket('open', { permissions: ['read("any")'] });
});

function filesIn(folder: 'files' | 'previews'): string[] {
  const path = join(backend.directory, 'storage', folder);
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
  return names.filter((name) => statSync(name).isFile());
}

const onlyBlob = () => filesIn('files')[0] ?? '';

const DAMAGES: [string, (blob: string) => void][] = [
  ['is shorter than it was', (blob) => truncateSync(blob, statSync(blob).size - 1)],
  ['has no byte left', (blob) => truncateSync(blob, 0)],
  ['is longer than it was', (blob) => writeFileSync(blob, 'more', { flag: 'a' })],
  ['is gone', (blob) => rmSync(blob)],
];

test.each(DAMAGES)('a file on disk that %s is 404, small or large, whole, in part and by HEAD', async (_, damage) => {
  for (const length of [1000, 600_000]) {
    await backend.upload('open', 'file', randomBytes(length), { as: 'key' });
    damage(onlyBlob());
    for (const range of ['', 'bytes=0-9', `bytes=${length - 10}-`]) {
      const reply = await backend.request('GET', `${FILE}/view`, range ? { headers: { range } } : {});
      expect(reply).toMatchObject({ status: 404, body: { type: 'storage_file_not_found' } });
    }
    expect((await backend.request('HEAD', `${FILE}/view`)).status).toBe(404);
    await backend.request('DELETE', FILE, { as: 'key', body: {} });
  }
});

test.each(DAMAGES)('a picture on disk that %s has no preview until it is restored', async (_, damage) => {
  await backend.upload('open', 'file', picture, { as: 'key' });
  const blob = onlyBlob();
  damage(blob);
  expect((await backend.request('GET', `${FILE}/preview?width=100`)).status).toBe(404);
  writeFileSync(blob, picture);
  expect((await backend.request('GET', `${FILE}/preview?width=100`)).status).toBe(200);
});

test('a preview that is damaged on disk is made again', async () => {
  await backend.upload('open', 'file', picture, { as: 'key' });
  // This preview is too large for the memory cache.
  const path = `${FILE}/preview?width=900&output=png`;
  const { bytes } = await backend.request('GET', path);
  for (const name of filesIn('previews')) truncateSync(name, statSync(name).size / 2);
  expect((await backend.request('GET', path)).bytes.equals(bytes)).toBe(true);
});
