import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closedState } from './file-state.ts';
import { openStore } from './store.ts';

test('a closed database keeps its state until it is opened or replaced', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'state-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const open = () => openStore(directory, [{ version: 1, sql: 'CREATE TABLE notes (text TEXT) STRICT;' }]);
  expect(closedState(directory)).toBeUndefined();
  const first = open();
  expect(closedState(directory)).toBeUndefined();
  await first.close();
  const closed = closedState(directory);
  expect(closed).toBeDefined();
  expect(closedState(directory)).toBe(closed);

  await open().close();
  const opened = closedState(directory);
  expect(opened).not.toBe(closed);

  await cp(directory, `${directory}-copy`, { recursive: true, preserveTimestamps: true });
  await rm(directory, { recursive: true });
  await rename(`${directory}-copy`, directory);
  expect(closedState(directory)).not.toBe(opened);
});
