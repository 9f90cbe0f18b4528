import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../../tests/support/folder.ts';
import { openAssets } from './kept-assets.ts';

const DAY = 24 * 3600 * 1000;
let folder: string;
let now: number;
const logged: string[] = [];
beforeEach(() => {
  folder = ownFolder();
  now = Date.now();
  logged.length = 0;
});

/** Deploys a build with these files and returns the served names. */
function start(files: readonly string[], kept = join(folder, 'kept')): string[] {
  const built = join(folder, 'built');
  rmSync(built, { recursive: true, force: true });
  for (const name of files) {
    mkdirSync(join(built, name, '..'), { recursive: true });
    writeFileSync(join(built, name), `content of ${name}`);
  }
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  const assets = openAssets({ built, kept, log, now: () => now });
  return Array.from(assets.keys(), (path) => path.replace('/_astro/', '')).sort();
}

test('deletes a file thirty days after its last use', () => {
  start(['App.one.js']);
  now += 100 * DAY;
  start(['App.two.js']);
  now += 29 * DAY;
  expect(start(['App.two.js'])).toEqual(['App.one.js', 'App.two.js']);
  now += 2 * DAY;
  expect(start(['App.three.js'])).toEqual(['App.three.js', 'App.two.js']);
  expect(existsSync(join(folder, 'kept', 'App.one.js'))).toBe(false);
});

test('serves the running build and the one before, keeps one that comes back, and deletes half-copied files', () => {
  start(['App.one.js', 'fonts/ink.woff2']);
  expect(start(['App.two.js'])).toEqual(['App.one.js', 'App.two.js', 'fonts/ink.woff2']);
  writeFileSync(join(folder, 'kept', 'App.zero.js.new'), 'half');
  expect(start(['App.one.js'])).toEqual(['App.one.js', 'App.two.js', 'fonts/ink.woff2']);
  expect(readdirSync(join(folder, 'kept')).sort()).toEqual(['App.one.js', 'App.two.js', 'build.json', 'fonts']);
});

test('serves the running build when the folder cannot be written', () => {
  writeFileSync(join(folder, 'a-file'), '');
  expect(start(['App.one.js'], join(folder, 'a-file', 'kept'))).toEqual(['App.one.js']);
  expect(logged[0]).toMatch(/^warn Could not keep this build’s scripts/);
});
