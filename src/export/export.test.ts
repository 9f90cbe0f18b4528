/** Exports a site with a real page store; all tests share a table of posts and pages. */
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
import { OperatorError } from '#blog/errors.ts';
import type { PostSummary } from '#blog/post.ts';
import { postTag } from '#blog/routes/tags.ts';
import type { Redirect } from '#redirects/redirects-file.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';
import { createExporter, type Exporter, type Run } from './export.ts';
import { claim, ExportFolder, NOTES } from './folder.ts';
import { createSource, type Source } from './source.ts';

const PICTURE = '/v1/storage/buckets/media/files/f1/preview?width=640&height=427&output=webp&project=p';
let site: TestSite;
let folder: string;
let directory: string;
let posts: PostSummary[];
let source: Source;
/** Requested pages, each with whether the request had a validator and the answer's status. */
let asked: Map<string, string>;
/** A part of picture addresses that the server fails to make. */
let unmakeable = 'f500';
let notified: readonly string[];
let oldAddresses: Redirect[] = [];
let build: string;

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
/** Publishes posts that link to their neighbours; the list and the feed contain all of them. */
function publish(...all: PostSummary[]): void {
  posts = all;
  site.pages.clear();
  const links = all.map(({ id }) => `<a href="/post/${id}">${id}</a>`).join('');
  const image = `<img src="${PICTURE.replaceAll('&', '&amp;')}">`;
  site.pages.set('/', {
    html: `<p>${all.map(({ id, updatedAt }) => id + updatedAt)}</p>${links}${image}`,
    tags: ['posts'],
  });
  site.pages.set('/author/ada', { html: '<p>Ada</p>', tags: ['posts'] });
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
    source: {
      ...source,
      page: async (path, etag) => {
        const page = await source.page(path, etag);
        asked.set(path, `${etag ? 'validated' : 'plain'} ${page.isStale ? 'stale ' : ''}${page.status}`);
        return page;
      },
      // Files outside the page store come from a separate table here.
      file: async (path) => {
        if (path.includes(unmakeable)) throw new OperatorError(`The site answered ${path} with 500.`);
        return {
          status: path.includes('f404') ? 404 : 200,
          body: Buffer.from(`file ${path}`),
          headers: [],
        };
      },
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
    build: () => build,
    assets: join(folder, 'assets'),
    files: new Map([['/_astro/site-font.woff2', Buffer.from('a font of the owner')]]),
    posts: async () => posts,
    redirects: async () => oldAddresses,
    authorName: async () => 'Ada',
    islands: true,
    server: 'http://127.0.0.1:4321',
    refresh: async (tags) => {
      notified = tags;
    },
    log: () => undefined,
  });
}
const run = async (how: Run = {}) => {
  asked = new Map();
  notified = [];
  return (await exporter()).run(how);
};
/** Returns the site's pages with this answer, sorted. */
const answered = (answer: string) =>
  [...asked]
    .filter(([path, given]) => site.pages.has(path) && given === answer)
    .map(([path]) => path)
    .sort();
const read = (file: string) => readFileSync(join(directory, file));
const forms = (file: string) => [file, `${file}.br`, `${file}.gz`];

beforeEach(async () => {
  build = 'one';
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
    ['/author/ada', 'author/ada/index.html'],
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

test('a second export asks for every page with its validator, and writes nothing', async () => {
  await run();
  expect(answered('plain 200')).toEqual([...site.pages.keys()].sort());
  const before = statSync(join(directory, NOTES, 'pages.json')).mtimeMs;
  const second = await run();
  expect([second.written, second.removed]).toEqual([[], []]);
  expect(answered('validated 304')).toEqual([...site.pages.keys()].sort());
  expect(statSync(join(directory, NOTES, 'pages.json')).mtimeMs).toBe(before);
  expect((await run({ all: true })).written).toEqual([]);
  expect(answered('plain 200')).toEqual([...site.pages.keys()].sort());
});

test('an edit writes the files that show it', async () => {
  publish(post('e'), post('d'), post('c'), post('b'), post('a'));
  await run();
  publish(post('e'), post('d'), post('c'), post('b'), post('a', '2'));
  const { written, removed } = await run();
  expect([...written].sort()).toEqual([...forms('index.html'), ...forms('post/a/index.html')].sort());
  expect(removed).toEqual([]);
  expect(answered('validated 200')).toEqual(['/', '/post/a']);
  expect(answered('validated 304')).toHaveLength(site.pages.size - 2);
});

test('every page of the route table is part of the export, whether a page names it or not', async () => {
  const all = Array.from({ length: 25 }, (_, i) => post(`p${i}`));
  publish(...all.with(0, { ...post('p0'), featuredImage: 'f1' }));
  const picture = (id: string) =>
    site.pages.set(`/post/${id}/share.png`, { html: 'PNG', headers: { 'content-type': 'image/png' } });
  for (const path of ['/page/2', '/author/ada/page/2', '/archive', '/archive/2026'])
    site.pages.set(path, { html: path });
  for (const id of ['p0', 'p24']) picture(id);
  await run();
  for (const file of [
    'page/2/index.html',
    'author/ada/page/2/index.html',
    'archive/2026/index.html',
    'post/p24/share.png',
  ]) {
    expect(existsSync(join(directory, file)), file).toBe(true);
  }
  expect(existsSync(join(directory, 'post', 'p0', 'share.png'))).toBe(false);
  expect(existsSync(join(directory, 'page', '3'))).toBe(false);
});

test('a page that the site has no more goes', async () => {
  await run();
  site.pages.delete('/author/ada');
  site.store.invalidate({ tags: ['site'] });
  expect((await run()).removed).toEqual(forms('author/ada/index.html'));
});

test('with another build, or notes that cannot be read, pages are asked for without validators', async () => {
  await run();
  build = 'two';
  site.pages.set('/post/a', {
    ...site.pages.get('/post/a'),
    headers: { 'content-security-policy': "default-src 'self'" },
  });
  await site.store.remove({ paths: ['/post/a'] });
  await run();
  expect(answered('plain 200')).toEqual([...site.pages.keys()].sort());
  expect(read('_headers').toString()).toContain("Content-Security-Policy: default-src 'self'");
  for (const notes of ['{', '{}', '{"form":6}']) {
    writeFileSync(join(directory, NOTES, 'pages.json'), notes);
    expect((await run()).written, notes).toEqual([]);
    expect(answered('plain 200'), notes).toEqual([...site.pages.keys()].sort());
  }
});

test('a page that the server cannot render anew stays, and is counted', async () => {
  await run();
  const whole = { ...site.pages.get('/post/a') };
  site.pages.set('/post/a', { status: 503, tags: [postTag('a')] });
  site.store.invalidate({ tags: [postTag('a')] });
  const { stale, removed } = await run();
  expect([stale, removed, answered('validated stale 304')]).toEqual([1, [], ['/post/a']]);
  site.pages.set('/post/a', { ...whole, html: 'new' });
  site.store.invalidate({ tags: [postTag('a')] });
  expect((await run()).stale).toBe(0);
  expect(read('post/a/index.html').toString()).toBe('new');
});

test('a part of the search index follows its posts and their pages', async () => {
  const prose = (words: string) => {
    site.pages.set('/post/a', {
      html: `<div class="prose"><p>${words}</p></div></div></article>`,
      tags: [postTag('a')],
    });
    site.store.invalidate({ tags: [postTag('a')] });
  };
  const index = () => read('search-index/0.json').toString();
  prose('before');
  await run();
  expect(index()).toContain('"before"');
  // Only the text in the search index changes, not the post.
  prose('afterwards');
  await run();
  expect(index()).toContain('"afterwards"');
  posts = posts.map((each) => ({ ...each, title: `Title ${each.id}` }));
  expect((await run()).written).toEqual(forms('search-index/0.json'));
  expect(index()).toContain('"Title a"');
});

test('the search index has the words of a post with tags, in a language of its own', async () => {
  site.pages.set('/post/a', {
    html: `<div class="prose" lang="ar" dir="rtl"><p>words</p><div>deep</div></div><ul class="tags"><li>Ink</li></ul></div><nav></nav></article>`,
    tags: [postTag('a')],
  });
  site.store.invalidate({ tags: [postTag('a')] });
  await run();
  const index = read('search-index/0.json').toString();
  for (const word of ['words', 'deep']) expect(index).toContain(`"${word}"`);
  expect(index).not.toContain('"ink"');
});

test('a server that may have missed it is asked to render posts that changed, came and went, and the adjacent ones', async () => {
  publish(post('e'), post('d'), post('c'), post('b'), post('a'));
  await run();
  expect(notified).toEqual([...posts.map(({ id }) => postTag(id)), 'posts']);
  await run();
  expect(notified).toEqual([]);
  posts = posts.with(2, post('c', '2'));
  await run();
  expect(notified).toEqual([postTag('c'), 'posts']);
  posts = posts.slice(0, 4);
  await run();
  expect([...notified].sort()).toEqual([postTag('a'), postTag('b'), 'posts']);
  posts = [post('f'), ...posts];
  await run();
  expect([...notified].sort()).toEqual([postTag('e'), postTag('f'), 'posts']);
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
  // Publishes post b again, unchanged.
  source = { ...source, page };
  publish(post('c'), post('b'), post('a'));
  await run();
  expect(existsSync(join(directory, 'post', 'b', 'index.html.br'))).toBe(true);
});

test("a deleted post's files go, the adjacent posts lose the link, and what is not the export's stays", async () => {
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
  oldAddresses = [
    { from: '/2020/%C3%A4/"b"', to: '/post/b' },
    { from: '/post/a', to: '/post/b' },
    { from: '/gone', to: '/post/unpublished' },
    { from: '/out', to: 'https://elsewhere.example/$1' },
    { from: '/round', to: '/about' },
    { from: '/about', to: 'https://blog.example/Round/' },
  ];
  await run();
  oldAddresses = [];
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
  oldAddresses = [...kept, '/*', '/:any/x', '/v1x'].map((from) => ({ from, to: '/post/b' }));
  await run();
  oldAddresses = [];
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
  writeFileSync(join(directory, 'author'), 'mine');
  const { foreign } = await run();
  expect([...foreign].sort()).toEqual(['author/ada/index.html', 'feed.xml']);
  expect(read('feed.xml/mine').toString()).toBe('mine');
  expect(read('author').toString()).toBe('mine');
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

test('a picture that the server cannot make is named, and everything else is there', async () => {
  unmakeable = 'preview';
  const { missing } = await run();
  unmakeable = 'f500';
  expect(missing).toEqual([PICTURE]);
  expect(read('post/a/index.html').toString()).toContain('<h1>a 1</h1>');
  expect(read(`${NOTES}/nginx.conf`).toString()).toContain('server');
  expect((await run()).missing).toEqual([]);
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
  // The pages are as before the first run, but nothing it recorded may be trusted.
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
  asked = new Map();
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
  const release = await claim(directory, 'site');
  await expect(claim(directory, 'site')).rejects.toThrow(`Another export (process ${process.pid}) is writing to`);
  await release();
  await (await claim(directory, 'site'))();
});

test('a folder has the pages of a site or posts as Markdown, never both', async () => {
  await (await claim(directory, 'site'))();
  await expect(claim(directory, 'markdown')).rejects.toThrow('holds the pages of a site');
  await (await claim(directory, 'site'))();
  const posts = join(directory, 'posts');
  await (await claim(posts, 'markdown'))();
  await expect(claim(posts, 'site')).rejects.toThrow('holds posts as Markdown');
});

test.each([
  { kind: 'site', other: 'markdown', files: ['_astro/a.js', 'index.html'] },
  { kind: 'markdown', other: 'site', files: ['pictures/a.png', 'posts/a.md'] },
] as const)(
  'the files of a folder without a note, or with an empty one, tell that it is of the kind $kind',
  async ({ kind, other, files }) => {
    const opened = await ExportFolder.open(directory);
    for (const file of files) await opened.put(file, Buffer.from('an export of a former release'));
    await opened.settle();
    await expect(claim(directory, other)).rejects.toThrow('Name another folder');
    await (await claim(directory, kind))();
    writeFileSync(join(directory, NOTES, 'kind'), '');
    await expect(claim(directory, other)).rejects.toThrow('Name another folder');
    await (await claim(directory, kind))();
    expect(readFileSync(join(directory, NOTES, 'kind'), 'utf8')).toBe(`${kind}\n`);
  },
);

test('a new folder of Markdown, which has drafts, is nobody else’s to read', async () => {
  const posts = join(directory, 'new', 'posts');
  await (await claim(posts, 'markdown'))();
  expect(statSync(posts).mode & 0o777).toBe(0o700);
});
