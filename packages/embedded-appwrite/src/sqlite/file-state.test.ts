import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closedState } from './file-state.ts';
import { openStore } from './store.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'state-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const NOTES = [{ version: 1, sql: 'CREATE TABLE notes (text TEXT) STRICT;' }];

test('a closed database keeps its name until somebody opens it, or puts another in its place', async () => {
  expect(closedState(directory)).toBeUndefined();
  const first = openStore(directory, NOTES);
  expect(closedState(directory)).toBeUndefined();
  await first.close();
  const closed = closedState(directory);
  expect(closed).toBeDefined();
  expect(closedState(directory)).toBe(closed);

  await openStore(directory, NOTES).close();
  const opened = closedState(directory);
  expect(opened).not.toBe(closed);

  await cp(directory, `${directory}-copy`, { recursive: true, preserveTimestamps: true });
  await rm(directory, { recursive: true });
  await cp(`${directory}-copy`, directory, { recursive: true, preserveTimestamps: true });
  await rm(`${directory}-copy`, { recursive: true });
  expect(closedState(directory)).not.toBe(opened);
});
