import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Migration } from './migrations.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';

const BLOBS: Migration = { version: 1, sql: 'CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT;' };
const MIB = 1024 * 1024;

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'checkpoint-'));
  store = openStore(directory, [BLOBS]);
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const add = (mebibytes: number) =>
  store.write(() => store.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(?))').run(mebibytes * MIB));
const size = async (name: string) => (await stat(join(directory, name))).size;
const inLog = () => {
  const { log, checkpointed } = store.prepare('PRAGMA wal_checkpoint(NOOP)').get() as Record<string, number>;
  return { log, left: (log ?? 0) - (checkpointed ?? 0) };
};

test('what was written is moved out of the log when writers pause', async () => {
  for (let i = 0; i < 6; i++) await add(1);
  expect(await size(DATABASE_FILE)).toBeLessThan(MIB);
  await expect.poll(() => inLog().left, { timeout: 10_000 }).toBe(0);
  expect(await size(DATABASE_FILE)).toBeGreaterThan(6 * MIB);
});

test('the log stays bounded while writers never pause', async () => {
  for (let i = 0; i < 40; i++) await Promise.all(Array.from({ length: 4 }, () => add(1)));
  expect(await size(`${DATABASE_FILE}-wal`)).toBeLessThan(110 * MIB);
  await expect.poll(() => inLog().left, { timeout: 10_000 }).toBeLessThan(1000);
});

test('a database that is closed while its log is moved is whole', async () => {
  for (let i = 0; i < 40; i++) await add(1);
  await store.close();
  const file = new DatabaseSync(join(directory, DATABASE_FILE));
  expect(file.prepare('SELECT count(*) AS count FROM blobs').get()).toEqual({ count: 40 });
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  file.close();
});

test('the last of the log goes into the file at the end', async () => {
  await add(1);
  await store.close();
  expect(await size(DATABASE_FILE)).toBeGreaterThan(MIB);
  await expect(size(`${DATABASE_FILE}-wal`)).rejects.toThrow('ENOENT');
});
