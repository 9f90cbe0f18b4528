/** The export against a site with a real page store; posts and pages are a table that all tests share. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostSummary } from '#blog/post.ts';
import type { MovedPage } from '../moved.ts';
import { postTag } from '../tags.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { createExporter, type Exporter, type Run } from './export.ts';
import { claim, ExportFolder, NOTES } from './folder.ts';
import { Ledger } from './ledger.ts';
import { createSource, type Source } from './source.ts';

const PICTURE = '/v1/storage/buckets/media/files/f1/preview?width=640&height=427&output=webp&project=p';
let site: TestSite;
let folder: string;
let directory: string;
let posts: PostSummary[];
let source: Source;
let asked: string[];
let moved: MovedPage[] = [];
let hearsEveryWrite: boolean;
/** What the backend was asked for. */
let questions: string[];

const post = (id: string, updatedAt = '1'): PostSummary => ({
  id,
  title: id,
  featuredImage: '',
  status: 'active',
  userId: 'ada',
  createdAt: '2026-01-01T00:00:00.000+00:00',
  updatedAt,
  permissions: [],
});
/** Each post links to its neighbours; the list and the feed name all of them. */
function publish(...all: PostSummary[]): void {
  posts = all;
  site.pages.clear();
  const links = all.map(({ id }) => `<a href="/post/${id}">${id}</a>`).join('');
  const image = `<img src="${PICTURE.replaceAll('&', '&amp;')}">`;
  site.pages.set('/', {
    html: `<p>${all.map(({ id, updatedAt }) => id + updatedAt)}</p>${links}${image}<a href="/page/2">2</a>`,
    tags: ['posts'],
  });
  site.pages.set('/page/2', { html: '<p>older</p>', tags: ['posts'] });
  site.pages.set('/feed.xml', { html: `<rss>${links}</rss>`, tags: ['posts'] });
  all.forEach(({ id, updatedAt }, at) => {
    const around = [all[at - 1], all[at + 1]].map((other) => other && `<a href="/post/${other.id}">${other.id}</a>`);
    const html = `<h1>${id} ${updatedAt}</h1>${around.join('')}${'<p>text</p>'.repeat(50)}`;
    site.pages.set(`/post/${id}`, {
      html,
      tags: [postTag(id)],
      headers: { 'content-security-policy': "default-src 'none'" },
    });
  });
  site.store.invalidate({ tags: ['site'] });
}

async function exporter(): Promise<Exporter> {
  const opened = await ExportFolder.open(directory);
  return createExporter({
    folder: opened,
    ledger: await Ledger.read(opened),
    source: {
      ...source,
      page: (path, etag) => {
        asked.push(path);
        return source.page(path, etag);
      },
      // What is no page of the store comes from a table of its own here.
      file: async (path) => ({
        status: path.includes('f404') ? 404 : 200,
        body: Buffer.from(`file ${path}`),
        headers: [],
      }),
    },
    site: {
      name: 'T',
      tagline: '',
      language: 'en',
      url: 'https://blog.example',
      endpoint: '/v1',
      projectId: 'p',
      databaseId: 'd',
      collectionId: 'c',
      revisionsId: 'revisions',
      bucketId: 'media',
    },
    build: () => 'one',
    assets: join(folder, 'assets'),
    files: new Map([['/_astro/site-font.woff2', Buffer.from('a font of the owner')]]),
    posts: async () => {
      questions.push('all');
      return posts;
    },
    postsOf: async (ids) => {
      questions.push(...ids);
      return posts.filter(({ id }) => ids.includes(id));
    },
    hearsEveryWrite,
    moved: async () => moved,
    authorName: async () => 'Ada',
    islands: true,
    server: 'http://127.0.0.1:4321',
    log: () => undefined,
  });
}
const run = async (how: Run = {}) => {
  asked = [];
  questions = [];
  return (await exporter()).run(how);
};
const read = (file: string) => readFileSync(join(directory, file));
const forms = (file: string) => [file, `${file}.br`, `${file}.gz`];

beforeEach(async () => {
  hearsEveryWrite = false;
  site = await startSite();
  source = createSource(site.origin, 4);
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  directory = join(folder, 'out');
  mkdirSync(join(folder, 'assets', '_astro'), { recursive: true });
  writeFileSync(join(folder, 'assets', 'favicon.svg'), '<svg/>');
  publish(post('c'), post('b'), post('a'));
});
afterEach(async () => {
  source.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the exported bytes are the served bytes, in every coding', async () => {
  const { posts: count, foreign } = await run();
  expect([count, foreign]).toEqual([3, []]);
  for (const [path, file] of [
    ['/', 'index.html'],
    ['/post/b', 'post/b/index.html'],
    ['/page/2', 'page/2/index.html'],
    ['/feed.xml', 'feed.xml'],
  ] as const) {
    for (const [coding, ending] of [
      ['identity', ''],
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const) {
      const { body } = await site.get(path, { 'accept-encoding': coding });
      expect(read(file + ending).equals(body), `${path} ${coding}`).toBe(true);
    }
  }
  for (const file of [
    '404.html',
    'post/404.html',
    'login/index.html',
    'edit-post/index.html',
    'favicon.svg',
    '_astro/site-font.woff2',
  ]) {
    expect(existsSync(join(directory, file)), file).toBe(true);
  }
  expect(read('_headers').toString()).toContain(
    "/post/*\n  Cache-Control: public, max-age=0, must-revalidate\n  Content-Security-Policy: default-src 'none'",
  );
  expect(read('_redirects').toString()).toContain('/edit-post/* /edit-post/index.html 200');
  expect(read(`${NOTES}/nginx.conf`).toString()).toContain('proxy_pass http://127.0.0.1:4321;');
});

test('a second export asks for no page and writes nothing', async () => {
  await run();
  const before = statSync(join(directory, NOTES, 'pages.json')).mtimeMs;
  const second = await run();
  expect([second.written, second.removed]).toEqual([[], []]);
  // A page that was never there is asked for each time.
  expect(asked.filter((path) => site.pages.has(path))).toEqual([]);
  expect(statSync(join(directory, NOTES, 'pages.json')).mtimeMs).toBe(before);
  expect((await run({ all: true })).written).toEqual([]);
});

test('an edit touches the files that show it, and asks for the pages that name the post', async () => {
  publish(post('e'), post('d'), post('c'), post('b'), post('a'));
  await run();
  publish(post('e'), post('d'), post('c'), post('b'), post('a', '2'));
  const { written, removed } = await run();
  expect([...written].sort()).toEqual([...forms('index.html'), ...forms('post/a/index.html')].sort());
  expect(removed).toEqual([]);
  expect(asked.filter((path) => site.pages.has(path)).sort()).toEqual(['/', '/feed.xml', '/post/a', '/post/b']);
});

test('a sitemap part that names no post, only when lists changed, follows every post', async () => {
  site.pages.set('/sitemap.xml', { html: '<loc>https://blog.example/sitemap-2.xml</loc>', tags: ['posts'] });
  const part = (lastmod: string) =>
    site.pages.set('/sitemap-2.xml', { html: `<lastmod>${lastmod}</lastmod>`, tags: ['posts'] });
  part('one');
  site.store.invalidate({ tags: ['site'] });
  await run();
  posts = [post('c'), post('b', '2'), post('a')];
  part('two');
  site.store.invalidate({ tags: ['site'] });
  expect((await run()).written).toEqual(forms('sitemap-2.xml'));
});

test('what is no longer published goes before anything that follows from it', async () => {
  await run();
  const index = () => read('search-index/0.json').toString();
  expect(index()).toContain('"b"');
  publish(post('c'), post('a'));
  const { page } = source;
  source = { ...source, page: () => Promise.reject(new Error('cut off')) };
  await expect(run()).rejects.toThrow('cut off');
  expect(existsSync(join(directory, 'post', 'b'))).toBe(false);
  expect(index()).not.toContain('"b"');
  for (const id of ['a', 'c']) expect(existsSync(join(directory, 'post', id))).toBe(true);
  // Published again as it was.
  source = { ...source, page };
  publish(post('c'), post('b'), post('a'));
  await run();
  expect(existsSync(join(directory, 'post', 'b', 'index.html.br'))).toBe(true);
});

/** The site as `publish` makes it, with a sitemap in parts, oldest first. */
function publishListed(...all: PostSummary[]): void {
  publish(...all);
  const loc = (path: string, changed: string) => `<loc>https://blog.example${path}</loc><lastmod>${changed}</lastmod>`;
  const oldest = all.toReversed();
  const parts = [oldest.slice(0, 2), oldest.slice(2)].filter((part) => part.length > 0);
  parts.forEach((part, at) => {
    const html = part.map(({ id, updatedAt }) => loc(`/post/${id}`, updatedAt)).join('');
    site.pages.set(`/sitemap-${at + 1}.xml`, { html, tags: ['posts'] });
  });
  const index = parts.map((_, at) => loc(`/sitemap-${at + 1}.xml`, '2026'));
  site.pages.set('/sitemap.xml', { html: index.join(''), tags: ['posts'] });
  site.store.invalidate({ tags: ['site'] });
}
const postFiles = () =>
  readdirSync(join(directory, 'post'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

test('where the server hears of every write, its sitemap says which posts there are', async () => {
  hearsEveryWrite = true;
  publishListed(post('d'), post('c'), post('b'), post('a'));
  await run();
  expect(questions).toEqual(['all']);
  await run();
  expect(questions).toEqual([]);
  publishListed(post('e'), post('d'), post('b', '2'), post('a'));
  const { written, posts: count } = await run();
  expect([[...questions].sort(), count]).toEqual([['b', 'c', 'e'], 4]);
  expect(written).toContain('post/b/index.html');
  expect(postFiles().sort()).toEqual(['a', 'b', 'd', 'e']);
  await run({ walk: true });
  expect(questions).toEqual(['all']);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 3600 * 1000);
  await run();
  expect(questions).toEqual(['all']);
  vi.restoreAllMocks();
});

test('a sitemap that is stale, or leaves out a post that there is, is not believed', async () => {
  hearsEveryWrite = true;
  publishListed(post('c'), post('b'), post('a'));
  await run();
  const whole = [...posts];
  publishListed(post('c'), post('a'));
  posts = whole;
  expect((await run()).posts).toBe(3);
  expect(questions).toEqual(['b', 'all']);
  expect(postFiles().sort()).toEqual(['a', 'b', 'c']);

  publishListed(...whole);
  await run();
  posts = whole.slice(1);
  site.pages.set('/sitemap.xml', { status: 503, tags: ['posts'] });
  site.store.invalidate({ tags: ['posts'] });
  expect((await run()).posts).toBe(2);
  expect(questions).toEqual(['all']);
});

test('a sitemap that changes while it is read is read again', async () => {
  hearsEveryWrite = true;
  publishListed(post('d'), post('c'), post('b'), post('a'));
  await run();
  const { text } = source;
  let left = 1;
  source = {
    ...source,
    text: async (path, etag) => {
      // With it gone, what stood first in the second part stands last in the first.
      if (path === '/sitemap-2.xml' && left-- > 0) publishListed(post('d'), post('c'), post('b'));
      return text(path, etag);
    },
  };
  await run();
  expect(questions).toEqual(['a']);
  expect(postFiles().sort()).toEqual(['b', 'c', 'd']);
});

test("a deleted post's files go, its neighbours lose the link, and what is not the export's stays", async () => {
  await run();
  writeFileSync(join(directory, 'CNAME'), 'blog.example');
  writeFileSync(join(directory, 'post', 'b', 'own.txt'), 'mine');
  publish(post('c'), post('a'));
  const { removed } = await run();
  expect([...removed].sort()).toEqual(forms('post/b/index.html').sort());
  expect(read('CNAME').toString()).toBe('blog.example');
  expect(read('post/b/own.txt').toString()).toBe('mine');
  expect(read('post/c/index.html').toString()).not.toContain('/post/b');
  publish(post('c'));
  await run();
  expect(existsSync(join(directory, 'post', 'a'))).toBe(false);
});

test('old addresses lead to posts that are published, and hide no page', async () => {
  moved = [
    { from: '/2020/%C3%A4/"b"', to: '/post/b' },
    { from: '/post/a', to: '/post/b' },
    { from: '/gone', to: '/post/unpublished' },
    { from: '/out', to: 'https://elsewhere.example/$1' },
    { from: '/round', to: '/about' },
    { from: '/about', to: 'https://blog.example/Round/' },
  ];
  await run();
  moved = [];
  const redirects = read('_redirects').toString();
  expect(redirects).not.toMatch(/round|about/);
  expect(redirects).toContain(
    '/2020/%C3%A4/"b" /post/b 301\n/2020/%C3%A4/"b"/ /post/b 301\n/2020/%C3%A4/"b".html /post/b 301\n',
  );
  expect(redirects).not.toMatch(/\/gone|\/post\/a /);
  const nginx = read(`${NOTES}/nginx.conf`).toString();
  expect(nginx).toContain('location = "/2020/ä/\\"b\\"" { return 301 "/post/b"; }');
  expect(nginx).toMatch(/return 301 "https:\/\/elsewhere\.example\/\$\{dollar\}1"/);
  expect(nginx).toContain('geo $dollar');
});

test('no old address hides what the host answers itself, and none stands for others', async () => {
  const kept = [
    '/v1/account',
    '/v1',
    '/API/revalidate',
    '/_astro/x.js',
    '/edit-post/b',
    '/404',
    '/post/404',
    '/page/1',
  ];
  moved = [...kept, '/*', '/:any/x', '/v1x'].map((from) => ({ from, to: '/post/b' }));
  await run();
  moved = [];
  const redirects = read('_redirects').toString();
  const sources = redirects.split('\n').filter((line) => line.includes(' /post/b '));
  expect(sources.map((line) => line.split(' ')[0]).filter((form) => !/\/$|\.html$/.test(form ?? ''))).toEqual([
    '/%2A',
    '/%3Aany/x',
    '/v1x',
  ]);
  const nginx = read(`${NOTES}/nginx.conf`).toString();
  for (const from of kept) expect(nginx, from).not.toContain(`location = "${from}"`);
});

test("a former build's scripts stay for thirty days", async () => {
  writeFileSync(join(folder, 'assets', '_astro', 'old.js'), 'old');
  await run();
  rmSync(join(folder, 'assets', '_astro', 'old.js'));
  const begun = Date.now();
  const day = 24 * 3600 * 1000;
  for (const [days, there] of [
    [0, true],
    [29, true],
    [30, false],
  ] as const) {
    vi.spyOn(Date, 'now').mockReturnValue(begun + days * day);
    await run();
    for (const file of forms('_astro/old.js')) expect(existsSync(join(directory, file)), `${days}`).toBe(there);
  }
  vi.restoreAllMocks();
});

test("somebody else's file is never replaced", async () => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.html'), 'mine');
  const { foreign } = await run();
  expect(foreign).toEqual(['index.html']);
  expect(read('index.html').toString()).toBe('mine');
});

test('a folder of somebody else’s where a file belongs, and a file where a folder does, stay and are named', async () => {
  mkdirSync(join(directory, 'feed.xml'), { recursive: true });
  writeFileSync(join(directory, 'feed.xml', 'mine'), 'mine');
  writeFileSync(join(directory, 'page'), 'mine');
  const { foreign } = await run();
  expect([...foreign].sort()).toEqual(['feed.xml', 'page/2/index.html']);
  expect(read('feed.xml/mine').toString()).toBe('mine');
  expect(read('page').toString()).toBe('mine');
  expect(existsSync(join(directory, 'post', 'a', 'index.html'))).toBe(true);
});

test('a post may be called as a file of the export is', async () => {
  publish(post('404.html'), post('404.html.br'), post('index.html'), post('a'));
  const { foreign } = await run();
  expect(foreign).toEqual([]);
  expect(read('post/index.html/index.html').toString()).toContain('<h1>index.html 1</h1>');
  expect(read('post/404.html/index.html').toString()).toContain('<h1>404.html 1</h1>');
  expect(read('post/-/404.html').toString()).toBe('file /post/-');
  expect(read('_redirects').toString()).toContain('/post/* /post/-/404.html 404\n');
  expect(read(`${NOTES}/nginx.conf`).toString()).toContain('error_page 404 /post/-/404.html;');
  expect((await run()).written).toEqual([]);
  publish(post('a'));
  await run();
  expect(read('post/404.html').toString()).toBe('file /post/-');
  publish(post('a'), post('404.html.gz'));
  await run();
  expect(read('post/404.html.gz/index.html').toString()).toContain('<h1>404.html.gz 1</h1>');
});

test('pictures come in the sizes that pages name, and one in the middle for hosts without queries', async () => {
  const { missing } = await run();
  const place = 'v1/storage/buckets/media/files/f1';
  expect(read(`${place}/preview-640x427.webp`).toString()).toBe(`file ${PICTURE}`);
  expect(readdirSync(join(directory, place)).sort()).toEqual(['preview', 'preview-640x427.webp']);
  expect(missing).toEqual([]);
});

test('an export that is broken off leaves whole files, and the next one makes good', async () => {
  await run();
  publish(post('c', '2'), post('b', '2'), post('a', '2'));
  const whole = source.page;
  let left = 3;
  source = { ...source, page: (path, etag) => (left-- > 0 ? whole(path, etag) : Promise.reject(new Error('cut off'))) };
  await expect(run()).rejects.toThrow('cut off');
  source = { ...source, page: whole };
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.name === 'index.html' && dirname(entry.parentPath).endsWith('post')) {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      expect(text.endsWith('<p>text</p>')).toBe(true);
    }
  }
  // Back to what it was before: nothing that the first run knew may be believed.
  publish(post('c'), post('b'), post('a'));
  await run();
  for (const id of ['a', 'b', 'c']) {
    const { body } = await site.get(`/post/${id}`, { 'accept-encoding': 'br' });
    expect(read(`post/${id}/index.html.br`).equals(body), id).toBe(true);
  }
});

test('what a watching export could not bring it brings the next time', async () => {
  let failing = false;
  const { page } = source;
  source = { ...source, page: (...asks) => (failing ? Promise.reject(new Error('cut off')) : page(...asks)) };
  [asked, questions] = [[], []];
  const watching = await exporter();
  await watching.run();
  publish(post('c'), post('b'), post('a', '2'));
  failing = true;
  await expect(watching.run()).rejects.toThrow('cut off');
  failing = false;
  await watching.run();
  expect(read('post/a/index.html').toString()).toContain('<h1>a 2</h1>');
});

test('two exports never write to one folder at a time', async () => {
  const release = await claim(directory);
  await expect(claim(directory)).rejects.toThrow(`Another export (process ${process.pid}) is writing to`);
  await release();
  await (await claim(directory))();
});
