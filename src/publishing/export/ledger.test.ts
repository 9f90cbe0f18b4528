import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExportFolder, NOTES } from './folder.ts';
import { type KnownPage, Ledger, type ListedPost } from './ledger.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = async () => {
  const folder = await ExportFolder.open(directory);
  return { folder, ledger: await Ledger.read(folder) };
};
const page = (version: string, pictures: string[] = []): KnownPage => ({
  etag: `"${version}"`,
  version,
  headers: 0,
  posts: ['a', 'b'],
  pages: ['/archive'],
  pictures,
});
const post = (id: string, updatedAt = '1'): ListedPost => ({ id, title: id, userId: 'ada', createdAt: '0', updatedAt });
const notes = () => ['pages.json', 'pages.changes'].map((name) => existsSync(join(directory, NOTES, name)));
const contents = ({ pages, posts, head }: Ledger) => ({
  pages: Object.fromEntries(pages),
  posts: [...posts.values()],
  head,
});
const many = (version: string) => Array.from({ length: 1000 }, (_, i) => [`/post/${i}`, page(version)] as const);

test('what a run changed is added to what is known', async () => {
  const { folder, ledger } = await open();
  for (const [path, known] of many('1')) ledger.setPage(path, known);
  ledger.setPage('/', page('1', ['/v1/one', '/v1/two']));
  ledger.setPosts([post('a'), post('b')]);
  ledger.headerSetOf(['Vary', 'Accept']);
  await ledger.write(folder);
  expect(notes()).toEqual([true, false]);
  const whole = readFileSync(join(directory, NOTES, 'pages.json'), 'utf8');

  const second = (await open()).ledger;
  expect(contents(second)).toEqual(contents(ledger));
  await second.write(folder);
  expect(notes()).toEqual([true, false]);
  second.setPage('/', page('2', ['/v1/two', '/v1/three']));
  second.deletePage('/post/7');
  second.setPosts([post('b', '2'), post('c')]);
  await second.write(folder);
  second.setPage('/post/8', { ...page('2'), doubt: true });
  expect(second.headerSetOf(['Vary', 'Cookie'])).toBe(1);
  await second.write(folder);
  expect(readFileSync(join(directory, NOTES, 'pages.json'), 'utf8')).toBe(whole);
  expect(readFileSync(join(directory, NOTES, 'pages.changes'), 'utf8').split('\n')).toHaveLength(3);
  expect(contents((await open()).ledger)).toEqual(contents(second));
});

test('many changes are made one with the whole, and lines of a former whole are not of this one', async () => {
  const { folder, ledger } = await open();
  for (const [path, known] of many('1')) ledger.setPage(path, known);
  await ledger.write(folder);
  ledger.setPage('/post/1', page('former'));
  await ledger.write(folder);
  const former = readFileSync(join(directory, NOTES, 'pages.changes'), 'utf8');
  for (const [path, known] of many('2')) ledger.setPage(path, known);
  await ledger.write(folder);
  expect(notes()).toEqual([true, false]);
  appendFileSync(join(directory, NOTES, 'pages.changes'), former);
  expect(contents((await open()).ledger)).toEqual(contents(ledger));
});

test('nothing is believed of a line that was broken off, nor after a run that was', async () => {
  const { folder, ledger } = await open();
  ledger.setPage('/', page('1'));
  await ledger.write(folder);
  appendFileSync(join(directory, NOTES, 'pages.changes'), '{"generation":');
  expect((await open()).ledger.pages.size).toBe(0);
  rmSync(join(directory, NOTES, 'pages.changes'));
  expect((await open()).ledger.pages.size).toBe(1);
  appendFileSync(join(directory, NOTES, 'files.journal'), 'index.html\n');
  expect((await open()).ledger.pages.size).toBe(0);
});
