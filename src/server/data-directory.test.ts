import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataDirectory } from './data-directory.ts';

let folder: string;
const modeOf = (path: string) => statSync(path).mode & 0o7777;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('closes the data folder to other users', () => {
  const fresh = join(folder, 'new', 'data');
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
  chmodSync(fresh, 0o755);
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
});

test('leaves a shared folder as it is', () => {
  chmodSync(folder, 0o1777);
  prepareDataDirectory(folder);
  expect(modeOf(folder)).toBe(0o1777);
});
