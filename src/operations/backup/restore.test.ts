/** Putting a backup back beside a server that wants the folder, and where the folder itself cannot be renamed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentHolder, ownDirectory } from '#embedded/sqlite/owner.ts';
import { type RestoreOptions, restore } from './restore.ts';
import { BACKEND, writeBackupFile } from './write-backup.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'common-ink-restore-'));
  file = join(folder, 'backup.zip');
  const dataDirectory = join(folder, 'backed-up');
  fill(dataDirectory, 'of the backup');
  await writeBackupFile(sourceOf(dataDirectory), file);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
  restore({ file, dataDirectory, force: true, own: ownDirectory, faultsOf: async () => [], ...more });

const databaseIn = (dataDirectory: string) => readFileSync(join(dataDirectory, BACKEND, 'backend.sqlite'), 'utf8');

const entriesOf = (directory: string) => readdirSync(directory).sort();

test.each(['data that are there', 'no data folder'])(
  '%s: no server can start while the backup is compared',
  async (what) => {
    const dataDirectory = join(folder, 'site', 'data');
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
  },
);

test('a backup that is refused leaves everything as it was', async () => {
  const dataDirectory = join(folder, 'site', 'data');
  const faultsOf = async () => ['A file is missing.'];
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('A file is missing.');
  expect(existsSync(join(folder, 'site'))).toBe(false);
  fill(dataDirectory, 'former');
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('A file is missing.');
  expect(entriesOf(dataDirectory)).toEqual([BACKEND, 'redirects']);
  expect(databaseIn(dataDirectory)).toBe('former');
  ownDirectory(join(dataDirectory, BACKEND)).release();
});

test('the former data come back when the new ones cannot take their place', async () => {
  const dataDirectory = join(folder, 'site', 'data');
  fill(dataDirectory, 'former');
  const faultsOf = async (extracted: string) => {
    renameSync(extracted, join(folder, 'taken-away'));
    return [];
  };
  await expect(put(dataDirectory, { faultsOf })).rejects.toThrow('ENOENT');
  expect(entriesOf(join(folder, 'site'))).toEqual(['data']);
  expect(entriesOf(dataDirectory)).toEqual([BACKEND, 'redirects']);
  expect(databaseIn(dataDirectory)).toBe('former');
});
