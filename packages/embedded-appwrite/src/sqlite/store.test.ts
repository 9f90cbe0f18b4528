import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import type { Migration } from './migrations.ts';
import { DATABASE_FILE, openStore, type Store, type StoreOptions } from './store.ts';
import { isDiskFull } from './store-error.ts';

const FIRST: Migration = { version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT;' };
const SECOND: Migration = { version: 2, sql: "ALTER TABLE notes ADD COLUMN tag TEXT NOT NULL DEFAULT 'none';" };
const LOST = 'could not be synced to disk';
let directory: string;
let store: Store;

function start(migrations = [FIRST], options: StoreOptions = {}): void {
  store = openStore(directory, migrations, options);
}
async function older(): Promise<void> {
  start();
  await store.write(insert('kept'));
  await store.close();
}

const insert = (text: string) => () => store.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const texts = () =>
  store
    .prepare('SELECT text FROM notes ORDER BY id')
    .all()
    .map((row) => row.text);
const copies = async () => (await readdir(directory)).filter((name) => name.startsWith('backend.v'));

beforeEach(() => {
  directory = folderOfTest();
});
afterEach(async () => {
  await store.close();
  vi.useRealTimers();
});

test('writing undoes a failing write alone, in a batch and by itself', async () => {
  start();
  const failing = () => {
    insert('half')();
    throw new Error('no');
  };
  const settled = await Promise.allSettled([insert('a'), failing, insert('b')].map((work) => store.write(work)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const taken = () => [insert('c')(), insert('a')()];
  await expect(store.write(taken)).rejects.toThrow('notes.text');
  await store.write(insert('d'));
  expect(texts()).toEqual(['a', 'b', 'd']);
});

test('writing resolves with the result of the work, is finished by closing and refused afterwards', async () => {
  start();
  expect(await store.write(() => 42)).toBe(42);
  const waiting = store.write(insert('a'));
  await store.close();
  await waiting;
  await expect(store.write(() => 1)).rejects.toThrow('closed');
  start();
  expect(texts()).toEqual(['a']);
});

test('migrations copy an older database and bring it forward, a current one stays uncopied', async () => {
  await older();
  start();
  await store.close();
  expect(await copies()).toEqual([]);
  start([FIRST, SECOND]);
  expect(store.prepare('SELECT text, tag FROM notes').get()).toMatchObject({ text: 'kept', tag: 'none' });
  const [copy = '', ...more] = await copies();
  expect([copy, more]).toEqual([expect.stringMatching(/^backend\.v1\./), []]);
  const kept = new DatabaseSync(join(directory, copy), { readOnly: true });
  expect(kept.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  expect(kept.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(kept.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
  kept.close();
});

test('migrations that fail change nothing', async () => {
  await older();
  const broken = { version: 2, sql: 'ALTER TABLE notes ADD COLUMN tag TEXT; NONSENSE;' };
  expect(() => start([FIRST, broken])).toThrow('version 2 and is unchanged');
  start();
  expect(store.prepare('SELECT * FROM notes').get()).toEqual({ id: 1, text: 'kept' });
});

test('migrations refuse a database of a newer release with what to do', async () => {
  start([FIRST, SECOND]);
  await store.close();
  expect(() => start()).toThrow(/version 2, but this release only knows versions up to 1\. Run the newer/);
});

const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });

test('a sync that finds no room loses nothing: the log goes another way to the disk, and writing goes on', async () => {
  let syncs = 0;
  const sync = async () => {
    if (++syncs === 2) throw full;
  };
  // Prevents the store from noticing free space before the test advances the clock.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  start([FIRST], { sync });
  await store.write(insert('a'));
  await store.write(insert('b'));
  expect((await stat(join(directory, `${DATABASE_FILE}-wal`))).size).toBe(0);
  await expect(store.write(insert('c'))).rejects.toSatisfy(isDiskFull);
  vi.advanceTimersByTime(1000);
  expect(store.hasRoom).toBe(true);
  await store.write(insert('c'));
  expect(texts()).toEqual(['a', 'b', 'c']);
});

test('a sync that finds no room refuses later writes when the log does not read back', async () => {
  const log = join(directory, `${DATABASE_FILE}-wal`);
  const sync = async () => {
    const bytes = readFileSync(log);
    bytes.fill(0, bytes.length - 100);
    writeFileSync(log, bytes, { flag: 'r+' });
    throw full;
  };
  start([FIRST], { sync });
  await expect(store.write(insert('a'))).rejects.toThrow(LOST);
  await expect(store.writeThoughFull(insert('b'))).rejects.toThrow(LOST);
});

test('a sync that finds no room differs from one that fails otherwise, after which the state on disk is unknown', async () => {
  const sync = () => Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  start([FIRST], { sync });
  for (const text of ['a', 'b']) await expect(store.write(insert(text))).rejects.toThrow(LOST);
});

test('only the owner can read the folder, the database and its copies, those of earlier releases included', async () => {
  await chmod(directory, 0o755);
  await writeFile(join(directory, 'backend.v0.2026-01-01T00-00-00-000Z.sqlite'), '', { mode: 0o644 });
  await older();
  start([FIRST, SECOND]);
  const modeOf = async (name: string) => (await stat(join(directory, name))).mode & 0o777;
  expect(await modeOf('.')).toBe(0o700);
  const files = [DATABASE_FILE, ...(await copies())];
  expect(files).toHaveLength(3);
  for (const name of files) expect(await modeOf(name)).toBe(0o600);
});
