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

test("the data folder is its owner's alone, also one of an earlier release", () => {
  const fresh = join(folder, 'new', 'data');
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
  chmodSync(fresh, 0o755);
  prepareDataDirectory(fresh);
  expect(modeOf(fresh)).toBe(0o700);
});

test('a folder into which anybody may write stays what it is', () => {
  chmodSync(folder, 0o1777);
  prepareDataDirectory(folder);
  expect(modeOf(folder)).toBe(0o1777);
});
