import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { type GroupCommit, groupCommit } from './group-commit.ts';

let database: DatabaseSync;
let group: GroupCommit;
/** The test resolves each requested sync. */
let syncs: PromiseWithResolvers<void>[];

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE notes (text TEXT UNIQUE) STRICT');
  syncs = [];
  group = groupCommit(database, () => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  });
});

const add = (text: string) => group.write(() => database.prepare('INSERT INTO notes VALUES (?)').run(text));
const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const count = () => database.prepare('SELECT count(*) AS count FROM notes').get()?.count;

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

test('a write is answered when the disk has it, not before', async () => {
  const write = add('a');
  await nextTurn();
  expect(count()).toBe(1);
  expect(await isSettled(write)).toBe(false);
  syncs[0]?.resolve();
  await write;
});

test('what is written during a sync shares the next one', async () => {
  const first = add('a');
  await nextTurn();
  const others = [add('b')];
  await nextTurn();
  others.push(add('c'));
  await nextTurn();
  expect(count()).toBe(3);
  expect(syncs).toHaveLength(1);
  syncs[0]?.resolve();
  await first;
  await nextTurn();
  expect(syncs).toHaveLength(2);
  expect(await isSettled(Promise.race(others))).toBe(false);
  syncs[1]?.resolve();
  await Promise.all(others);
});

test('a write that is refused needs no disk', async () => {
  const write = add('a');
  await nextTurn();
  await expect(add('a')).rejects.toThrow('UNIQUE');
  expect(syncs).toHaveLength(1);
  syncs[0]?.resolve();
  await write;
});

test('after a sync that failed nothing is written any more', async () => {
  const write = expect(add('a')).rejects.toThrow('could not be brought to disk');
  await nextTurn();
  const behind = expect(add('b')).rejects.toThrow('could not be brought to disk');
  await nextTurn();
  syncs[0]?.reject(new Error('EIO'));
  await Promise.all([write, behind]);
  await expect(add('c')).rejects.toThrow('could not be brought to disk');
  expect(count()).toBe(2);
});

test('a sync that found no room fails its writes alone, and the next one serves them all', async () => {
  const write = expect(add('a')).rejects.toThrow('no room');
  await nextTurn();
  syncs[0]?.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await write;
  const next = add('b');
  await nextTurn();
  syncs[1]?.resolve();
  await next;
  expect(count()).toBe(2);
});

test('flushing commits what waits and resolves when it is on disk', async () => {
  const write = add('a');
  const flushed = group.flush();
  expect(count()).toBe(1);
  expect(await isSettled(flushed)).toBe(false);
  syncs[0]?.resolve();
  await flushed;
  expect(await isSettled(write)).toBe(true);
});

test('there is nothing to wait for when nothing was written', async () => {
  await group.flush();
  expect(syncs).toHaveLength(0);
});
