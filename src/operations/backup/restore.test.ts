import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { currentHolder, ownDirectory } from 'embedded-appwrite';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../../../tests/support/folder.ts';
import { openSmallDisk } from '../../../tests/support/small-disk.ts';
import { memberSchema } from './manifest.ts';
import { type RestoreOptions, restore } from './restore.ts';
import { BACKEND, writeBackupFile } from './write-backup.ts';

let [folder, file, dataDirectory] = ['', '', ''];
beforeEach(async () => {
  folder = ownFolder();
  file = join(folder, 'backup.zip');
  dataDirectory = join(folder, 'site', 'data');
  fill(join(folder, 'backed-up'), 'of the backup');
  await writeBackupFile(sourceOf(join(folder, 'backed-up')), file);
});
afterEach(() => {
  if (existsSync(join(folder, 'site'))) chmodSync(join(folder, 'site'), 0o700);
});

function fill(dataDirectory: string, text: string): void {
  mkdirSync(join(dataDirectory, BACKEND), { recursive: true });
  writeFileSync(join(dataDirectory, BACKEND, 'backend.sqlite'), text);
  writeFileSync(join(dataDirectory, 'redirects'), text);
}

const sourceOf = (dataDirectory: string) => ({
  dataDirectory,
  release: '1.0.0',
  takeCopy: async (target: string) => fill(join(target, '..'), readFileSync(join(dataDirectory, 'redirects'), 'utf8')),
  countsOf: () => ({ version: 1, users: 1, documents: 1, files: 1 }),
});

const put = (dataDirectory: string, more: Partial<RestoreOptions> = {}) =>
  restore({ file, dataDirectory, force: true, faultsOf: async () => [], ...more });
const databaseIn = (dataDirectory: string) => readFileSync(join(dataDirectory, BACKEND, 'backend.sqlite'), 'utf8');
const entriesOf = (directory: string) => readdirSync(directory).sort();

test.each(['data that are there', 'no data folder'])('%s: no server starts during the comparison', async (what) => {
  if (what === 'data that are there') fill(dataDirectory, 'former');
  let holder: unknown;
  await put(dataDirectory, {
    async faultsOf() {
      holder = currentHolder(join(dataDirectory, BACKEND));
      return [];
    },
  });
  expect(holder).toMatchObject({ pid: process.pid });
  expect(databaseIn(dataDirectory)).toBe('of the backup');
  ownDirectory(join(dataDirectory, BACKEND)).release();
});

test('a backup that is refused leaves everything as it was', async () => {
  const faultsOf = async () => ['A file is missing.'];
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('A file is missing.');
  expect(existsSync(join(folder, 'site'))).toBe(false);
  fill(dataDirectory, 'former');
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('A file is missing.');
  expect(entriesOf(dataDirectory)).toEqual([BACKEND, 'redirects']);
  expect(databaseIn(dataDirectory)).toBe('former');
  ownDirectory(join(dataDirectory, BACKEND)).release();
});

test('what a restore that was killed has left is no data, and goes', async () => {
  ownDirectory(join(dataDirectory, BACKEND)).release();
  fill(join(dataDirectory, '.restoring-1'), 'half of a backup');
  fill(join(dataDirectory, `.restoring-${process.pid}`), 'half of a backup');
  await put(dataDirectory, { force: false });
  expect([entriesOf(join(folder, 'site')), entriesOf(dataDirectory)]).toEqual([['data'], [BACKEND, 'redirects']]);
  mkdirSync(join(folder, 'pictures', BACKEND, 'storage'), { recursive: true });
  await expect(put(join(folder, 'pictures'), { force: false })).rejects.toThrow('already contains data');
});

test('the former data come back when the new ones cannot take their place', async () => {
  fill(dataDirectory, 'former');
  const faultsOf = async (extracted: string) => {
    await rename(extracted, join(folder, 'taken-away'));
    return [];
  };
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('ENOENT');
  expect([entriesOf(join(folder, 'site')), entriesOf(dataDirectory)]).toEqual([['data'], [BACKEND, 'redirects']]);
  expect(databaseIn(dataDirectory)).toBe('former');
});

/** Returns a data folder that this user cannot rename: a mount point for root, else a folder in a read-only folder. */
async function fixedFolder(): Promise<string | undefined> {
  if (process.getuid?.() === 0) {
    const disk = await openSmallDisk(8);
    if (disk) onTestFinished(disk.remove);
    return disk?.directory;
  }
  const parent = join(folder, 'site');
  mkdirSync(join(parent, 'data'), { recursive: true });
  chmodSync(parent, 0o500);
  return join(parent, 'data');
}

test('in a folder that cannot be renamed the former data are kept inside of it', async ({ skip }) => {
  const volume = (await fixedFolder()) ?? skip('this user may not mount a file system');
  expect(await put(volume)).not.toHaveProperty('former');
  expect(entriesOf(volume)).toEqual([BACKEND, 'redirects']);
  fill(volume, 'since');
  const { former = '' } = await put(volume);
  expect(entriesOf(volume)).toEqual([basename(former), BACKEND, 'redirects']);
  expect(basename(former)).toMatch(/^\.before-/);
  expect([databaseIn(volume), databaseIn(former)]).toEqual(['of the backup', 'since']);
  ownDirectory(join(volume, BACKEND)).release();
  const { members } = await writeBackupFile(sourceOf(volume), join(folder, 'next.zip'));
  expect(members.map(({ name }) => name)).toEqual(['redirects', 'backend/backend.sqlite']);
});

test('what belongs to a disk that is mounted there is no data, is in no backup, and stays', async ({ skip }) => {
  const volume = (await fixedFolder()) ?? skip('this user may not mount a file system');
  mkdirSync(join(volume, 'lost+found'), { recursive: true });
  await put(volume, { force: false });
  const { former = '' } = await put(volume);
  expect(entriesOf(volume)).toEqual([basename(former), BACKEND, 'lost+found', 'redirects']);
  writeFileSync(join(volume, 'lost+found', 'found'), '');
  const { members } = await writeBackupFile(sourceOf(volume), join(folder, 'of-the-disk.zip'));
  expect(members.map(({ name }) => name)).toEqual(['redirects', 'backend/backend.sqlite']);
});

test('what cannot be put into such a folder leaves the former data there', async ({ skip }) => {
  const volume = (await fixedFolder()) ?? skip('this user may not mount a file system');
  fill(volume, 'former');
  const faultsOf = async (extracted: string) => {
    rmSync(join(extracted, BACKEND), { recursive: true });
    return [];
  };
  await expect(put(volume, { faultsOf })).rejects.toThrow('ENOENT');
  expect(entriesOf(volume)).toEqual([BACKEND, 'redirects']);
  expect(databaseIn(volume)).toBe('former');
});

test('a backup has no members outside of its folder, hidden ones or those that a server makes', () => {
  const isAllowed = (name: string) => memberSchema.safeParse({ name, bytes: 0, sha256: '0'.repeat(64) }).success;
  const members = ['backend/backend.sqlite', 'backend/storage/files/1b/1b0c22', 'site.toml', 'fonts/own.woff2'];
  const outside = ['../redirects', 'fonts/../../redirects', '/etc/passwd', '.env'];
  const made = ['pages/index.sqlite', 'assets/site.js', 'backend', 'backend/owner.lock', 'backend/backend.sqlite-wal'];
  const previews = ['backend/storage/previews/1b/1b0c22/a.avif'];
  expect([...members, ...outside, ...made, ...previews].filter(isAllowed)).toEqual(members);
});
