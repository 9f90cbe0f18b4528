import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../tests/support/folder.ts';
import { prepareDataDirectory } from './data-directory.ts';

const modeOf = (path: string) => statSync(path).mode & 0o7777;

test('closes the data folder to other users', () => {
  const fresh = join(ownFolder(), 'new', 'data');
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
  chmodSync(fresh, 0o755);
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
});

test('leaves a shared folder as it is', () => {
  const folder = ownFolder();
  chmodSync(folder, 0o1777);
  prepareDataDirectory(folder);
  expect(modeOf(folder)).toBe(0o1777);
});
