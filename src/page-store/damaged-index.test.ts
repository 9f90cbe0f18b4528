import * as fs from 'node:fs';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

/** Enough pages to fill several database pages of the index. */
const PAGES = 40;
let site: TestSite;
let file: string;
beforeEach(async () => {
  site = await startSite();
  file = join(site.directory, 'index.sqlite');
  for (let i = 0; i < PAGES; i++)
    site.pages.set(`/post/p${i}`, { html: `post ${i}`, tags: [`post:p${i}`, `author:a${i % 3}`] });
  for (const path of site.pages.keys()) await site.get(path);
});
afterEach(() => site.close());

function write(at: number, bytes: Buffer): void {
  const content = fs.readFileSync(file);
  writeFileSync(file, Buffer.concat([content.subarray(0, at), bytes, content.subarray(at + bytes.length)]));
}
const size = () => fs.statSync(file).size;
const garbage = (length: number) => Buffer.alloc(length, 'nothing of the kind ');

function run(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

async function expectRightPages(): Promise<void> {
  for (const [path, { html }] of site.pages) expect((await site.get(path)).text).toBe(html);
}

const DAMAGES: Readonly<Record<string, () => unknown>> = {
  'garbage at its head': () => write(0, garbage(4096)),
  'garbage in its middle': () => write(8192, garbage(16_384)),
  'no bytes': () => truncateSync(file, 0),
  'half of its bytes': () => truncateSync(file, size() / 2),
  'a text in its place': () => writeFileSync(file, 'hello'),
  'a folder in its place': () => {
    rmSync(file);
    mkdirSync(join(file, 'inner'), { recursive: true });
  },
  'a folder in place of its log': () => mkdirSync(`${file}-wal`),
  'a log of something else': () => writeFileSync(`${file}-wal`, garbage(9000)),
  'a link to nowhere in its place': () => {
    rmSync(file);
    fs.symlinkSync(join(site.directory, 'nowhere', 'at-all'), file);
  },
  'a database of another program in its place': () => {
    rmSync(file);
    run('CREATE TABLE pages (name TEXT); PRAGMA user_version = 3;');
  },
  'another version in its place': () => run('PRAGMA user_version = 99'),
  'tables that are gone': () => run('DROP TABLE page_tags'),
  'a file in place of the folder of pages': () => {
    rmSync(join(site.directory, 'public'), { recursive: true });
    writeFileSync(join(site.directory, 'public'), '');
  },
  'a file in place of its own folder': () => {
    rmSync(site.directory, { recursive: true });
    writeFileSync(site.directory, '');
  },
};
test.each(Object.entries(DAMAGES))('an index with %s is replaced, and pages are rendered anew', async (_, damage) => {
  site.store.close('1');
  damage();
  await site.restart({ state: '1' });
  await expectRightPages();
  await site.restart({ state: '2' }, '2');
  expect(site.store.statistics().pages).toBe(PAGES);
  site.renders.length = 0;
  await expectRightPages();
  expect(site.renders).toEqual([]);
});

test('a start on an index that another program has locked: readers get their pages', async () => {
  site.store.close();
  const other = new DatabaseSync(file);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  await site.restart();
  await expectRightPages();
  other.close();
});

test('a start on an index that cannot be used logs the file once, and leaves no unknown page in the folder', async () => {
  site.store.close();
  write(0, garbage(4096));
  site.logged.length = 0;
  await site.restart();
  const warning = `The index of stored pages is damaged and was replaced by an empty one: ${file}. Every page is rendered again.`;
  expect(site.logged).toEqual([`warn ${warning}`]);
  expect(existsSync(join(site.directory, 'public/post/p1/index.html'))).toBe(false);
});

test.each([
  ['tag', "UPDATE page_tags SET tag = 'post:q1' WHERE tag = 'post:p1'"],
  ['path', "UPDATE pages SET path = '/post/p999' WHERE path = '/post/p1'"],
  ['header', "UPDATE header_sets SET pairs = replace(pairs, 'text/html', 'text/htnl')"],
  ['time', "UPDATE pages SET content = json_set(content, '$.maxAge', 4096) WHERE path = '/post/p1'"],
  ['checksum', "UPDATE pages SET content_sum = lower(content_sum) WHERE path = '/post/p1'"],
])('a damaged row with another %s: the page is rendered again and follows its changes', async (_, sql) => {
  site.store.close('1');
  run(sql);
  await site.restart({ state: '1' });
  site.pages.set('/post/p1', { html: 'new', tags: ['post:p1', 'author:a1'] });
  site.store.invalidate({ tags: ['post:p1'] });
  const { text, headers } = await site.get('/post/p1');
  expect([text, headers['content-type']]).toEqual(['new', 'text/html; charset=utf-8']);
  await site.restart();
  expect(site.store.explain('/post/p1')?.tags).toEqual(['author:a1', 'post:p1']);
});

test.each([
  ['tables that are gone', () => run('DROP TABLE page_tags')],
  ['all tables', () => run('DROP TABLE page_tags; DROP TABLE pages; DROP TABLE header_sets; DROP TABLE settings')],
])('damage under a running store, %s: pages are sent, outdated, and known to the next start', async (_, spoil) => {
  spoil();
  site.pages.set('/post/p1', { html: 'new', tags: ['post:p1', 'author:a1'] });
  site.store.invalidate({ tags: ['author:a1'] });
  await expectRightPages();
  site.pages.set('/post/p2', { html: 'newer', tags: ['post:p2', 'author:a2'] });
  site.store.invalidate({ tags: ['author:a2'] });
  await expectRightPages();
  await site.restart({ state: '1' }, '1');
  expect(site.store.statistics().pages).toBe(PAGES);
  expect(site.logged.filter((line) => line.includes('replaced by an empty one')).length).toBe(1);
});

test('an index deleted or truncated under a running store: readers get their pages', async () => {
  rmSync(file);
  await expectRightPages();
  fs.linkSync(`${file}-wal`, file);
  truncateSync(file, 100);
  site.pages.set('/post/p1', { html: 'new', tags: ['post:p1', 'author:a1'] });
  site.store.invalidate({ tags: ['author:a1'] });
  await expectRightPages();
  await site.restart();
  await expectRightPages();
});
