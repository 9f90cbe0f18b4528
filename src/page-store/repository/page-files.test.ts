import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../../../tests/support/folder.ts';
import { PageFiles, pathOf } from './page-files.ts';

const PAGES = 300;
let directory: string;
let disk: PageFiles;
beforeEach(() => {
  directory = ownFolder();
  disk = new PageFiles(directory);
  for (let i = 0; i < PAGES; i++) {
    const folder = join(directory, 'public', 'post', `p${i}`);
    mkdirSync(folder, { recursive: true });
    for (const file of ['index.html', 'index.html.br'].map((name) => join(folder, name))) {
      writeFileSync(file, 'x');
      utimesSync(file, 1000, 1000);
    }
  }
});

const fileOf = (i: number, suffix = '') => join(directory, 'public', 'post', `p${i}`, `index.html${suffix}`);

test('a sweep removes files of no page, in each encoding', async () => {
  const removed = await disk.sweep((file) => pathOf(file) !== '/post/p7', Date.now());
  expect(removed).toBe(2);
  expect([existsSync(fileOf(7)), existsSync(fileOf(7, '.br')), existsSync(fileOf(8))]).toEqual([false, false, true]);
});

test('a sweep leaves younger files', async () => {
  writeFileSync(fileOf(7), 'new');
  expect(await disk.sweep((file) => pathOf(file) !== '/post/p7', Date.now() - 60_000)).toBe(1);
  expect(existsSync(fileOf(7))).toBe(true);
});

test('a sweep stops when it is aborted', async () => {
  const ending = new AbortController();
  let asked = 0;
  const belongs = () => {
    asked += 1;
    ending.abort();
    return false;
  };
  expect(await disk.sweep(belongs, Date.now(), ending.signal)).toBe(1);
  expect(asked).toBe(1);
});

test('a sweep continues when folders are removed meanwhile', async () => {
  let seen = 0;
  const belongs = () => {
    if (++seen === 1) rmSync(join(directory, 'public', 'post'), { recursive: true });
    return false;
  };
  expect(await disk.sweep(belongs, Date.now())).toBe(0);
});
