import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { png, startTestBackend, type TestBackend } from '../../../tests/support/backend.ts';

let backend: TestBackend;
let picture: Buffer;
beforeEach(async () => {
  backend = await startTestBackend();
  picture = await png(900, 700);
  await backend.bucket('open', { permissions: ['read("any")'] });
});
afterEach(() => backend.stop());

function onlyBlob(): string {
  const files = join(backend.directory, 'storage', 'files');
  const names = readdirSync(files, { recursive: true, encoding: 'utf8' }).map((name) => join(files, name));
  const [found = ''] = names.filter((name) => statSync(name).isFile());
  return found;
}

const DAMAGES: Readonly<Record<string, (blob: string) => void>> = {
  'is shorter than it was': (blob) => truncateSync(blob, statSync(blob).size - 1),
  'has no byte left': (blob) => truncateSync(blob, 0),
  'is longer than it was': (blob) => writeFileSync(blob, 'more', { flag: 'a' }),
  'is gone': (blob) => rmSync(blob),
};

describe.each([
  ['small', 1000],
  ['large', 600_000],
])('a %s file on disk that', (_, length) => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    test(`${name} is 404, whole and in part, and asked for its head`, async () => {
      await backend.upload('open', 'file', randomBytes(length), { as: 'key' });
      damage(onlyBlob());
      const path = '/storage/buckets/open/files/file/view';
      for (const headers of [undefined, { range: 'bytes=0-9' }, { range: `bytes=${length - 10}-` }]) {
        expect(await backend.request('GET', path, headers && { headers })).toMatchObject({
          status: 404,
          body: { type: 'storage_file_not_found' },
        });
      }
      expect((await backend.request('HEAD', path)).status).toBe(404);
    });
  }
});

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`a picture on disk that ${name} has no preview, and has one again once it is put back`, async () => {
    await backend.upload('open', 'file', picture, { as: 'key' });
    const blob = onlyBlob();
    damage(blob);
    const path = '/storage/buckets/open/files/file/preview?width=100';
    expect((await backend.request('GET', path)).status).toBe(404);
    writeFileSync(blob, picture);
    expect((await backend.request('GET', path)).status).toBe(200);
  });
}

test('a preview on disk that is damaged is made again', async () => {
  await backend.upload('open', 'file', picture, { as: 'key' });
  // This preview is too large for the memory cache.
  const path = '/storage/buckets/open/files/file/preview?width=900&output=png';
  const { bytes } = await backend.request('GET', path);
  const previews = join(backend.directory, 'storage', 'previews');
  const names = readdirSync(previews, { recursive: true, encoding: 'utf8' }).map((name) => join(previews, name));
  for (const name of names) if (statSync(name).isFile()) truncateSync(name, statSync(name).size / 2);
  expect((await backend.request('GET', path)).bytes.equals(bytes)).toBe(true);
});
