import fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { lossOf, requireDatabase } from './lost-database.ts';
import { DATABASE_FILE, openStore, type Store } from './store.ts';
import { StoreError } from './store-error.ts';

const NOTES = [{ version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT;' }];
const PAGE = 4096;
let directory: string;
let file: string;
let store: Store;
let logged: string[];

function start(): Store {
  store = openStore(directory, NOTES, { log: (level, message) => logged.push(`${level} ${message}`) });
  return store;
}
const add = (text: string) => store.write(() => store.prepare('INSERT INTO notes (text) VALUES (?)').run(text));

beforeEach(async () => {
  directory = folderOfTest();
  file = join(directory, DATABASE_FILE);
  logged = [];
  start();
  await Promise.all(Array.from({ length: 300 }, (_, i) => add(`${i} ${'long '.repeat(60)}`)));
  await store.close();
});
afterEach(() => store.close());

const size = () => fs.statSync(file).size;
const cut = (length: number) => () => fs.truncateSync(file, length);
function spoil(at: number, length: number): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, Buffer.alloc(length, 'nothing of the kind '), 0, length, at);
  fs.closeSync(descriptor);
}
const inPlace = (make: () => unknown) => () => {
  fs.rmSync(file);
  make();
};

type Damage = () => unknown;
const DAMAGED =
  /^The database \S+backend\.sqlite is damaged: (file is not a database|database disk image is malformed|it has only \d+ of \d+ bytes)\. Stop the server and restore the last good backup: npm run restore -- FILE --force \(npm run doctor names FILE\)\.$/;
const NO_FILE = /It must be a file that this user may read and write\.$/;

test.each<[string, RegExp, Damage]>([
  ['garbage in the head', DAMAGED, () => spoil(0, 100)],
  ['garbage in all of it', DAMAGED, () => spoil(0, size())],
  ['a text in its place', DAMAGED, () => fs.writeFileSync(file, 'hello')],
  ['half a page left of it', DAMAGED, cut(2000)],
  ['half of its pages', DAMAGED, () => cut(Math.floor(size() / PAGE / 2) * PAGE)()],
  ['all but its last byte', DAMAGED, () => cut(size() - 1)()],
  ['a folder in its place', NO_FILE, inPlace(() => fs.mkdirSync(file))],
  ['a dangling link in its place', NO_FILE, inPlace(() => fs.symlinkSync(join(directory, 'no', 'where'), file))],
  ['a folder in place of its log', NO_FILE, () => fs.mkdirSync(`${file}-wal`)],
])('a start on a database with %s is refused with file, damage and what to do', (_, sentence, damage) => {
  damage();
  expect(start).toThrow(StoreError);
  expect(start).toThrow(sentence);
});

test.each<[string, Damage]>([
  ['its second page', () => spoil(PAGE, PAGE)],
  ['its middle', () => spoil(PAGE * Math.floor(size() / PAGE / 2), PAGE)],
  ['its last page', () => spoil(size() - PAGE, PAGE)],
])('a start on a database with damage in %s finds it by itself, and writes nothing', async (_, damage) => {
  damage();
  const before = fs.readFileSync(file);
  const sentence = /^The database \S+ is damaged: .+ npm run restore/;
  try {
    start();
  } catch (error) {
    expect((error as Error).message).toMatch(sentence);
    return;
  }
  await store.checked;
  expect(store.damage).toMatch(sentence);
  expect(logged).toEqual([`error ${store.damage}`]);
  await expect(add('more')).rejects.toMatchObject({ code: 'damaged' });
  await store.close();
  expect(fs.readFileSync(file).equals(before)).toBe(true);
});

test('a start on a sound database says nothing', async () => {
  await start().checked;
  await add('more');
  expect([store.damage, logged]).toEqual([undefined, []]);
});

const texts = () =>
  start()
    .prepare('SELECT text FROM notes WHERE length(text) < 20 ORDER BY id')
    .all()
    .map(({ text }) => text);

test('a log beside the database of an earlier run is set aside and told; nothing written since is lost', async () => {
  start();
  await add('first');
  const old = fs.readFileSync(`${file}-wal`);
  await store.close();
  start();
  await add('second');
  await store.close();
  fs.writeFileSync(`${file}-wal`, old);
  expect(texts()).toEqual(['first', 'second']);
  const told = /^warn The log beside \S+ was older than the database, so it was not used/;
  expect(logged).toEqual([expect.stringMatching(told)]);
});

test('a log beside the database that a killed process left is used, start after start', async () => {
  for (const text of ['first', 'second', 'third']) {
    start();
    await add(text);
    const kept = [file, `${file}-wal`].map((each) => [each, fs.readFileSync(each)] as const);
    await store.close();
    for (const [each, bytes] of kept) fs.writeFileSync(each, bytes);
  }
  expect(texts()).toEqual(['first', 'second', 'third']);
  expect(logged).toEqual([]);
});

test('a process that was killed while the log was being moved into the database loses nothing', async () => {
  start();
  const before = fs.readFileSync(file);
  await Promise.all(Array.from({ length: 300 }, (_, i) => add(`later ${i} ${'long '.repeat(60)}`)));
  const log = fs.readFileSync(`${file}-wal`);
  await store.close();
  const after = fs.readFileSync(file);
  // A checkpoint copies page 1 first. The page count in page 1 already includes pages that are still only in the WAL.
  fs.writeFileSync(file, Buffer.concat([after.subarray(0, PAGE), before.subarray(PAGE)]));
  fs.writeFileSync(`${file}-wal`, log);
  start();
  expect(store.prepare("SELECT count(*) AS count FROM notes WHERE text LIKE 'later %'").get()).toEqual({ count: 300 });
  expect(await store.checked).toBeUndefined();
  expect(logged).toEqual([]);
});

const exchange = () => {
  fs.cpSync(file, `${file}.other`);
  fs.renameSync(`${file}.other`, file);
};

test.each<[string, RegExp, Damage]>([
  ['is deleted', /was deleted or replaced/, () => fs.rmSync(file)],
  ['is replaced by another', /was deleted or replaced/, exchange],
  ['loses its log', /-wal was deleted or replaced/, () => fs.rmSync(`${file}-wal`)],
  ['is emptied', /was cut from/, cut(0)],
  ['is cut off', /was cut from/, cut(8192)],
  ['has garbage in its head', /beginning was overwritten/, () => spoil(0, PAGE)],
])('a database in use that %s refuses writes, is logged once and left as it is', async (_, what, damage) => {
  await start().checked;
  await add('before');
  damage();
  for (const text of ['one', 'two']) await expect(add(text)).rejects.toMatchObject({ code: 'damaged' });
  expect(store.damage).toMatch(what);
  expect(store.damage).toContain(file);
  expect(logged).toEqual([`error ${store.damage}`]);
  const left = fs.statSync(file, { throwIfNoEntry: false })?.size;
  await store.close();
  expect(fs.statSync(file, { throwIfNoEntry: false })?.size).toBe(left);
});

test('a database in use that is moved away refuses writes until it is back', async () => {
  await start().checked;
  fs.renameSync(directory, `${directory}-aside`);
  try {
    await expect(add('meanwhile')).rejects.toMatchObject({ code: 'damaged' });
    expect(store.damage).toContain(file);
  } finally {
    fs.renameSync(`${directory}-aside`, directory);
  }
  await add('after');
  expect(store.damage).toBeUndefined();
});

test('a database in use is damaged once a read reports it, not after other errors or a VACUUM of the operator', async () => {
  await start().checked;
  store.noteError(new Error('no such column'));
  store.noteError(Object.assign(new Error('constraint failed'), { errcode: 19 }));
  await store.write(() => store.prepare('DELETE FROM notes').run());
  const other = new DatabaseSync(file);
  other.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  await add('one');
  expect(store.damage).toBeUndefined();
  store.noteError(Object.assign(new Error('database disk image is malformed'), { errcode: 11 }));
  await expect(add('two')).rejects.toMatchObject({ code: 'damaged' });
});

describe('a database that is missing', () => {
  const traces = () => [join(directory, 'files'), join(directory, 'key')];
  beforeEach(() => {
    fs.rmSync(file);
    fs.mkdirSync(join(directory, 'files', 'ab'), { recursive: true });
  });

  test.each(Object.entries({ 'a file': 'files/ab/abc', 'a key': 'key' }))('was lost where there is %s', (_, trace) => {
    fs.writeFileSync(join(directory, trace), 'x');
    expect(() => requireDatabase(directory, traces())).toThrow(
      /is missing, but the site’s other data still exists: .+ npm run restore -- FILE --force\. Or, to begin with an empty site, move this data away first\.$/,
    );
    for (const bytes of ['', 'x']) {
      fs.writeFileSync(file, bytes);
      expect(lossOf(directory, traces())).toMatch(/is empty, but/);
    }
  });

  test('is made where there is no trace of a site, and is not lost once there is', () => {
    requireDatabase(directory, traces());
    fs.writeFileSync(join(directory, 'key'), 'k');
    expect(lossOf(directory, traces())).toBeUndefined();
    start();
  });
});
