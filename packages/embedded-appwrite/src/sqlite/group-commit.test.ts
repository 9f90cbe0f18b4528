import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { type GroupCommit, groupCommit } from './group-commit.ts';

let database: DatabaseSync;
let group: GroupCommit;
/** The syncs requested so far, which each test settles itself. */
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

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const count = () => database.prepare('SELECT count(*) AS count FROM notes').get()?.count;

/** Writes `text` and waits for the commit. Returns the promise in an object, so that callers do not await the sync. */
async function add(text: string) {
  const answer = group.write(() => database.prepare('INSERT INTO notes VALUES (?)').run(text));
  answer.catch(() => {});
  await nextTurn();
  return { answer };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

test('a write is answered once it is on disk; those during a sync share the next one', async () => {
  const first = await add('a');
  const others = [await add('b'), await add('c')].map(({ answer }) => answer);
  expect(count()).toBe(3);
  expect(await isSettled(first.answer)).toBe(false);
  expect(syncs).toHaveLength(1);
  syncs[0]?.resolve();
  await first.answer;
  await nextTurn();
  expect(syncs).toHaveLength(2);
  expect(await isSettled(Promise.race(others))).toBe(false);
  syncs[1]?.resolve();
  await Promise.all(others);
});

test('a write that is refused needs no disk', async () => {
  const { answer } = await add('a');
  await expect((await add('a')).answer).rejects.toThrow('UNIQUE');
  expect(syncs).toHaveLength(1);
  syncs[0]?.resolve();
  await answer;
});

test('nothing is written after a sync that failed', async () => {
  const answers = [await add('a'), await add('b')];
  syncs[0]?.reject(new Error('EIO'));
  for (const { answer } of [...answers, await add('c')])
    await expect(answer).rejects.toThrow('could not be synced to disk');
  expect(count()).toBe(2);
});

test('a sync that finds no room fails its writes alone, and the next one serves them all', async () => {
  const { answer } = await add('a');
  syncs[0]?.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await expect(answer).rejects.toThrow('not enough disk space');
  const next = await add('b');
  syncs[1]?.resolve();
  await next.answer;
  expect(count()).toBe(2);
});
