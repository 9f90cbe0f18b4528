import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';

const MIB = 1024 * 1024;
const SQL = 'CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT;';
let directory: string;
let store: Store;

beforeEach(() => {
  directory = folderOfTest();
  store = openStore(directory, [{ version: 1, sql: SQL }]);
});
afterEach(async () => {
  await store.close();
  vi.useRealTimers();
});

const addMebibyte = () => store.write(() => store.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(?))').run(MIB));
const size = async (name = DATABASE_FILE) => (await stat(join(directory, name))).size;
const leftInLog = () => {
  const { log = 0, checkpointed = 0 } = store.prepare('PRAGMA wal_checkpoint(NOOP)').get() as Record<string, number>;
  return log - checkpointed;
};

test('moves the log into the file when writers pause, and the last of it at the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let i = 0; i < 6; i++) await addMebibyte();
  expect(await size()).toBeLessThan(MIB);
  vi.advanceTimersByTime(1000);
  await expect.poll(leftInLog).toBe(0);
  expect(await size()).toBeGreaterThan(6 * MIB);
  await addMebibyte();
  await store.close();
  expect(await size()).toBeGreaterThan(7 * MIB);
  await expect(size(`${DATABASE_FILE}-wal`)).rejects.toThrow('ENOENT');
});

test('keeps the log bounded while writers never pause', async () => {
  // Stops the store's timers, so that it sees no pause between writes even on a busy machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let i = 0; i < 40; i++) {
    await Promise.all(Array.from({ length: 4 }, addMebibyte));
    // Waits if the checkpoint thread may have stalled. Otherwise, the WAL would grow until the thread continues.
    if (leftInLog() > 12_000) await expect.poll(leftInLog).toBeLessThan(12_000);
  }
  // Without a limit, the WAL would grow to all 160 MiB.
  expect(await size(`${DATABASE_FILE}-wal`)).toBeLessThan(150 * MIB);
  // Pages written during the last checkpoint are moved in the first pause after another write.
  const pauseAfterWrite = async () => {
    await store.write(() => undefined);
    vi.advanceTimersByTime(1000);
    return leftInLog();
  };
  await expect.poll(pauseAfterWrite).toBeLessThan(1000);
});

test('leaves a whole database when it is closed while the log is moved', async () => {
  for (let i = 0; i < 40; i++) await addMebibyte();
  await store.close();
  const file = new DatabaseSync(join(directory, DATABASE_FILE));
  expect(file.prepare('SELECT count(*) AS count FROM blobs').get()).toEqual({ count: 40 });
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  file.close();
});
