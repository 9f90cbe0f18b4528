import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { violatedColumn } from './constraint.ts';
import type { Migration } from './migrations.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';

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
    ).rejects.toSatisfy((error) => violatedColumn(error) === 'notes.text');
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

test('nobody but the owner can read the database', async () => {
  start(FIRST);
  expect((await stat(join(directory, DATABASE_FILE))).mode & 0o777).toBe(0o600);
});
