import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDiskFull } from '../disk-full.ts';
import type { Migration } from './migrations.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';
import { wholeFrames } from './whole-frames.ts';

const FIRST: Migration = { version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT;' };
const SECOND: Migration = { version: 2, sql: "ALTER TABLE notes ADD COLUMN tag TEXT NOT NULL DEFAULT 'none';" };

let directory: string;
let open: Store[];

function start(...migrations: Migration[]): Store {
  const store = openStore(directory, migrations);
  open.push(store);
  return store;
}

const add = (store: Store, text: string) => () => store.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const texts = (store: Store) =>
  store
    .prepare('SELECT text FROM notes ORDER BY id')
    .all()
    .map((row) => row.text);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
  open = [];
});

afterEach(async () => {
  for (const store of open) await store.close();
  await rm(directory, { recursive: true, force: true });
});

describe('group commit', () => {
  test('writes of one turn are on disk once their promises resolve', async () => {
    const store = start(FIRST);
    await Promise.all(['a', 'b', 'c'].map((text) => store.write(add(store, text))));
    await store.close();
    expect(texts(start(FIRST))).toEqual(['a', 'b', 'c']);
  });

  test('a write gives what its work gives', async () => {
    const store = start(FIRST);
    expect(await store.write(() => 42)).toBe(42);
  });

  test('a failing write is undone alone', async () => {
    const store = start(FIRST);
    const failing = store.write(() => {
      add(store, 'half')();
      throw new Error('no');
    });
    const settled = await Promise.allSettled([store.write(add(store, 'a')), failing, store.write(add(store, 'b'))]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(texts(store)).toEqual(['a', 'b']);
  });

  test('a write that fails by itself leaves nothing behind and the next one works', async () => {
    const store = start(FIRST);
    await store.write(add(store, 'a'));
    await expect(
      store.write(() => {
        add(store, 'b')();
        add(store, 'a')();
      }),
    ).rejects.toThrow('notes.text');
    await store.write(add(store, 'c'));
    expect(texts(store)).toEqual(['a', 'c']);
  });

  test('closing commits what is waiting and refuses what comes later', async () => {
    const store = start(FIRST);
    const waiting = store.write(add(store, 'a'));
    await store.close();
    await waiting;
    await expect(store.write(() => 1)).rejects.toThrow('closed');
    expect(texts(start(FIRST))).toEqual(['a']);
  });
});

describe('migrations', () => {
  test('an older database is copied, then brought forward', async () => {
    const old = start(FIRST);
    await old.write(add(old, 'kept'));
    await old.close();
    const store = start(FIRST, SECOND);
    expect(store.prepare('SELECT text, tag FROM notes').get()).toMatchObject({ text: 'kept', tag: 'none' });
    expect((await readdir(directory)).filter((name) => name.startsWith('backend.v1.'))).toHaveLength(1);
  });

  test('a new or current database is not copied', async () => {
    await start(FIRST).close();
    await start(FIRST).close();
    expect((await readdir(directory)).filter((name) => name.startsWith('backend.v'))).toEqual([]);
  });

  test('a migration that fails changes nothing', async () => {
    const old = start(FIRST);
    await old.write(add(old, 'kept'));
    await old.close();
    const broken = { version: 2, sql: 'ALTER TABLE notes ADD COLUMN tag TEXT; NONSENSE;' };
    expect(() => openStore(directory, [FIRST, broken])).toThrow('version 2; it is unchanged');
    expect(start(FIRST).prepare('SELECT * FROM notes').get()).toEqual({ id: 1, text: 'kept' });
  });

  test('a database of a newer release is refused with what to do', async () => {
    await start(FIRST, SECOND).close();
    expect(() => openStore(directory, [FIRST])).toThrow(
      /version 2, this release knows versions up to 1\. Run the newer/,
    );
  });
});

describe('a sync that finds no room', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });

  test('loses nothing: what is in the log goes another way to the disk, and writing goes on', async () => {
    let syncs = 0;
    const sync = async () => {
      if (++syncs === 2) throw full;
    };
    const store = openStore(directory, [FIRST], { sync });
    open.push(store);
    await store.write(add(store, 'a'));
    await store.write(add(store, 'b'));
    expect((await stat(join(directory, `${DATABASE_FILE}-wal`))).size).toBe(0);
    await expect(store.write(add(store, 'c'))).rejects.toSatisfy(isDiskFull);
    await expect.poll(() => store.hasRoom, { timeout: 5000 }).toBe(true);
    await store.write(add(store, 'c'));
    expect(texts(store)).toEqual(['a', 'b', 'c']);
  });

  test('refuses all that comes later when the log does not read back', async () => {
    const log = join(directory, `${DATABASE_FILE}-wal`);
    const sync = async () => {
      const bytes = readFileSync(log);
      bytes.fill(0, bytes.length - 100);
      writeFileSync(log, bytes, { flag: 'r+' });
      throw full;
    };
    const store = openStore(directory, [FIRST], { sync });
    await expect(store.write(add(store, 'a'))).rejects.toThrow('could not be brought to disk');
    await expect(store.writeThoughFull(add(store, 'b'))).rejects.toThrow('could not be brought to disk');
    await store.close();
  });

  test('is another thing than one that fails otherwise, after which nobody knows what is on disk', async () => {
    const store = openStore(directory, [FIRST], {
      sync: async () => {
        throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
      },
    });
    open.push(store);
    await expect(store.write(add(store, 'a'))).rejects.toThrow('could not be brought to disk');
    await expect(store.write(add(store, 'b'))).rejects.toThrow('could not be brought to disk');
  });
});

test('the log reads back to its last whole frame', async () => {
  const store = start(FIRST);
  const log = join(directory, `${DATABASE_FILE}-wal`);
  const before = wholeFrames(log);
  await store.write(add(store, 'a'));
  await store.write(add(store, 'b'));
  const frames = wholeFrames(log);
  expect(frames).toBe(store.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);
  expect(frames).toBeGreaterThan(before);
  const copy = join(directory, 'copy');
  const bytes = readFileSync(log);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(copy, bytes);
  expect(wholeFrames(copy)).toBe(frames - 1);
});

const modeOf = async (name: string) => (await stat(join(directory, name))).mode & 0o777;

test('nobody but the owner can read the database, nor the folder it is in', async () => {
  await chmod(directory, 0o755);
  start(FIRST);
  expect(await modeOf(DATABASE_FILE)).toBe(0o600);
  expect(await modeOf('.')).toBe(0o700);
});

test('nobody but the owner can read the copies from before upgrades, those of earlier releases included', async () => {
  const earlier = 'backend.v0.2026-01-01T00-00-00-000Z.sqlite';
  await writeFile(join(directory, earlier), '', { mode: 0o644 });
  const old = start(FIRST);
  await old.write(add(old, 'kept'));
  await old.close();
  start(FIRST, SECOND);
  const copies = (await readdir(directory)).filter((name) => name.startsWith('backend.v'));
  expect(copies).toHaveLength(2);
  for (const name of copies) expect(await modeOf(name)).toBe(0o600);
});
