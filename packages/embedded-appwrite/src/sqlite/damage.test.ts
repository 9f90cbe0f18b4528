import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseDamaged } from './damage.ts';
import { lossOf, requireDatabase } from './lost-database.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';
import { StoreError } from './store-error.ts';

const NOTES = [{ version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT;' }];

let directory: string;
let file: string;
let store: Store | undefined;
let logged: string[];

function start(): Store {
  store = openStore(directory, NOTES, { log: (level, message) => logged.push(`${level} ${message}`) });
  return store;
}
const add = (text: string) => () => store?.prepare('INSERT INTO notes (text) VALUES (?)').run(text);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'damage-'));
  file = join(directory, DATABASE_FILE);
  logged = [];
  start();
  for (let i = 0; i < 300; i++) await store?.write(add(`${i} ${'long '.repeat(60)}`));
  await store?.close();
});
afterEach(async () => {
  await store?.close();
  rmSync(directory, { recursive: true });
});

function write(at: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}
const garbage = (length: number) => Buffer.alloc(length, 'nothing of the kind ');

describe('a start', () => {
  test.each<[string, () => unknown]>([
    ['garbage in the head', () => write(0, garbage(100))],
    ['garbage in all of it', () => write(0, garbage(statSync(file).size))],
    ['a text in its place', () => writeFileSync(file, 'hello')],
    ['half a page left of it', () => truncateSync(file, 2000)],
    ['half of its pages', () => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
    ['all but its last byte', () => truncateSync(file, statSync(file).size - 1)],
  ])('on a database with %s is refused with file, damage and what to do', (_, damage) => {
    damage();
    expect(start).toThrow(StoreError);
    expect(start).toThrow(
      /^The database \S+backend\.sqlite is damaged: (file is not a database|database disk image is malformed|it has \d+ of \d+ bytes)\. Stop the server and put the last good backup back: npm run restore -- FILE --force \(npm run doctor names FILE\)\.$/,
    );
  });

  test.each<[string, RegExp, () => unknown]>([
    [
      'a folder in its place',
      /It must be a file that this user may read and write\.$/,
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    [
      'a link to nowhere in its place',
      /It must be a file that this user may read and write\.$/,
      () => {
        rmSync(file);
        symlinkSync(join(directory, 'no', 'where'), file);
      },
    ],
    ['a folder in place of its log', /It must be a file/, () => mkdirSync(`${file}-wal`)],
  ])('on %s is refused with a sentence', (_, sentence, damage) => {
    damage();
    expect(start).toThrow(StoreError);
    expect(start).toThrow(sentence);
  });

  test.each<[string, () => unknown]>([
    ['its second page', () => write(4096, garbage(4096))],
    ['its middle', () => write(4096 * Math.floor(statSync(file).size / 8192), garbage(4096))],
    ['its last page', () => write(statSync(file).size - 4096, garbage(4096))],
  ])('on a database with damage in %s finds it by itself, and nothing is written', async (_, damage) => {
    damage();
    const before = readFileSync(file);
    try {
      start();
    } catch (error) {
      expect((error as Error).message).toMatch(/^The database \S+ is damaged: .+ npm run restore/);
      return;
    }
    await store?.checked;
    expect(store?.damage).toMatch(/^The database \S+ is damaged: .+ npm run restore/);
    expect(logged).toEqual([`error ${store?.damage}`]);
    await expect(store?.write(add('more'))).rejects.toThrow(DatabaseDamaged);
    await store?.close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('on a sound database says nothing', async () => {
    start();
    await store?.checked;
    await store?.write(add('more'));
    expect([store?.damage, logged]).toEqual([undefined, []]);
  });
});

describe('a log beside the database', () => {
  const texts = () =>
    start()
      .prepare('SELECT text FROM notes WHERE length(text) < 20 ORDER BY id')
      .all()
      .map(({ text }) => text);

  test('of an earlier run is set aside, and told; nothing that was written since is lost', async () => {
    start();
    await store?.write(add('first'));
    const old = readFileSync(`${file}-wal`);
    await store?.close();
    start();
    await store?.write(add('second'));
    await store?.close();
    writeFileSync(`${file}-wal`, old);
    expect(texts()).toEqual(['first', 'second']);
    expect(logged).toEqual([
      expect.stringMatching(/^warn The log beside \S+ was older than the database and is not used/),
    ]);
  });

  test('that a killed process left is used, start after start', async () => {
    const kept: [string, Buffer][] = [];
    for (const text of ['first', 'second', 'third']) {
      start();
      await store?.write(add(text));
      kept.splice(0, 2, ...[file, `${file}-wal`].map((each): [string, Buffer] => [each, readFileSync(each)]));
      await store?.close();
      for (const [each, bytes] of kept) writeFileSync(each, bytes);
    }
    expect(texts()).toEqual(['first', 'second', 'third']);
    expect(logged).toEqual([]);
  });
});

describe('a database that is spoiled while it is in use', () => {
  test.each<[string, RegExp, () => unknown]>([
    ['is deleted', /was deleted or replaced/, () => rmSync(file)],
    [
      'is replaced by another',
      /was deleted or replaced/,
      () => {
        cpSync(file, `${file}.other`);
        renameSync(`${file}.other`, file);
      },
    ],
    ['loses its log', /-wal was deleted or replaced/, () => rmSync(`${file}-wal`)],
    ['is emptied', /was cut off/, () => truncateSync(file, 0)],
    ['is cut off', /was cut off/, () => truncateSync(file, 8192)],
    ['has garbage in its head', /beginning was overwritten/, () => write(0, garbage(4096))],
  ])('and %s: writes are refused, the log says so once, and the file is left as it is', async (_, what, damage) => {
    start();
    await store?.checked;
    await store?.write(add('before'));
    damage();
    for (const text of ['one', 'two']) await expect(store?.write(add(text))).rejects.toThrow(DatabaseDamaged);
    expect(store?.damage).toMatch(what);
    expect(store?.damage).toContain(file);
    expect(logged).toEqual([`error ${store?.damage}`]);
    const left = statSync(file, { throwIfNoEntry: false })?.size;
    await store?.close();
    expect(statSync(file, { throwIfNoEntry: false })?.size).toBe(left);
  });

  test('and is moved away: writes are refused until it is back', async () => {
    start();
    await store?.checked;
    renameSync(directory, `${directory}-aside`);
    try {
      await expect(store?.write(add('meanwhile'))).rejects.toThrow(DatabaseDamaged);
      expect(store?.damage).toContain(file);
    } finally {
      renameSync(`${directory}-aside`, directory);
    }
    await store?.write(add('after'));
    expect(store?.damage).toBeUndefined();
  });

  test('and a read that meets the damage: it is known from then on', async () => {
    start();
    await store?.checked;
    store?.noteError(Object.assign(new Error('database disk image is malformed'), { errcode: 11 }));
    await expect(store?.write(add('one'))).rejects.toThrow(DatabaseDamaged);
  });

  test('and other errors pass', async () => {
    start();
    store?.noteError(new Error('no such column'));
    store?.noteError(Object.assign(new Error('constraint failed'), { errcode: 19 }));
    await store?.write(add('one'));
    expect(store?.damage).toBeUndefined();
  });

  test('and made smaller by a VACUUM of the operator: it is as good as before', async () => {
    start();
    await store?.write(() => store?.prepare('DELETE FROM notes').run());
    const other = new DatabaseSync(file);
    other.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    await store?.write(add('one'));
    expect(store?.damage).toBeUndefined();
  });
});

describe('a database that is not there', () => {
  const traces = () => [join(directory, 'files'), join(directory, 'key')];
  beforeEach(() => {
    rmSync(file);
    mkdirSync(join(directory, 'files', 'ab'), { recursive: true });
  });

  test.each<[string, () => unknown]>([
    ['a stored file', () => writeFileSync(join(directory, 'files', 'ab', 'abc'), 'x')],
    ['a key', () => writeFileSync(join(directory, 'key'), 'k')],
  ])('was lost where there is %s', (_, leave) => {
    leave();
    expect(() => requireDatabase(directory, traces())).toThrow(
      /is missing, and there is what only a site with a database has: .+ npm run restore -- FILE --force\. Or, to begin an empty site, move these away first\.$/,
    );
    for (const bytes of ['', 'x']) {
      writeFileSync(file, bytes);
      expect(lossOf(directory, traces())).toMatch(/is empty, and/);
    }
  });

  test('is made where there is nothing of a site, and is then no lost one, whatever is there beside it', () => {
    requireDatabase(directory, traces());
    writeFileSync(join(directory, 'key'), 'k');
    expect(lossOf(directory, traces())).toBeUndefined();
    start();
  });
});
