import { cp, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { closedState } from './file-state.ts';
import { openStore } from './store.ts';

test('a closed database keeps its state until it is opened or replaced', async () => {
  const directory = folderOfTest();
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
