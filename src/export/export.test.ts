/**
 * Every test here exports a site that has a real page store. `posts` and `site.pages` are the site's content.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import type { PostSummary } from '#blog/post.ts';
import { postTag } from '#blog/routes/tags.ts';
import type { Redirect } from '#redirects/redirects-file.ts';
import { SITE } from '../../tests/support/example-site.ts';
import { ownFolder } from '../../tests/support/folder.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';
import { createExporter, type Exporter } from './export.ts';
import { claim, ExportFolder, NOTES } from './folder.ts';
import { createSource, type Source } from './source.ts';

const PICTURE = '/v1/storage/buckets/media/files/f1/preview?width=640&height=427&output=webp&project=p';
const NGINX = `${NOTES}/nginx.conf`;
let site: TestSite;
let folder: string;
let directory: string;
let posts: PostSummary[];
let source: Source;
/** Maps each requested page to `validated` (the request had an ETag) or `plain`, and the response's status. */
let asked = new Map<string, string>();
let canMakePictures = true;
let notified: readonly string[];
let oldAddresses: Redirect[];
let build: string;
const createdAt = '2026-01-01T00:00:00.000+00:00';
const BASE = { featuredImage: '', status: 'active', userId: 'ada', createdAt, permissions: [] } as const;
const post = (id: string, updatedAt = '1'): PostSummary => ({ ...BASE, id, title: id, updatedAt });
const policy = (source: string) => ({ 'content-security-policy': `default-src '${source}'` });
/** Publishes posts, each of which links to its neighbours. The home page and the feed link to all of them. */
function publish(...all: PostSummary[]): void {
  posts = all;
  site.pages.clear();
  const links = all.map(({ id }) => `<a href="/post/${id}">${id}</a>`).join('');
  const image = `<img src="${PICTURE.replaceAll('&', '&amp;')}">`;
  const home = `<p>${all.map(({ id, updatedAt }) => id + updatedAt)}</p>${links}${image}`;
  const lists = { '/': home, '/author/ada': '<p>Ada</p>', '/feed.xml': `<rss>${links}</rss>` };
  for (const [path, html] of Object.entries(lists)) site.pages.set(path, { html, tags: ['posts'] });
  all.forEach(({ id, updatedAt }, at) => {
    const around = [all[at - 1], all[at + 1]].map((other) => other && `<a href="/post/${other.id}">${other.id}</a>`);
    const html = `<h1>${id} ${updatedAt}</h1>${around.join('')}${'<p>text</p>'.repeat(50)}`;
    site.pages.set(`/post/${id}`, { html, tags: [postTag(id)], headers: policy('none') });
  });
  site.store.invalidate({ tags: ['site'] });
}

async function exporter(): Promise<Exporter> {
  return createExporter({
    folder: await ExportFolder.open(directory),
    source: {
      ...source,
      page: async (path, etag) => {
        const page = await source.page(path, etag);
        asked.set(path, `${etag ? 'validated' : 'plain'} ${page.isStale ? 'stale ' : ''}${page.status}`);
        return page;
      },
      // Makes up the content of files that are not in the page store.
      file: async (path) => {
        if (path === PICTURE && !canMakePictures) throw new OperatorError(`The site answered ${path} with 500.`);
        return { status: 200, body: Buffer.from(`file ${path}`), headers: [] };
      },
    },
    site: SITE,
    build: () => build,
    assets: join(folder, 'assets'),
    files: new Map([['/_astro/site-font.woff2', Buffer.from('a font of the owner')]]),
    posts: async () => posts,
    redirects: async () => oldAddresses,
    authorName: async () => 'Ada',
    refresh: async (tags) => {
      notified = tags;
    },
    ...{ islands: true, server: 'http://127.0.0.1:4321', log: () => undefined },
  });
}
const run = async (how: Parameters<Exporter['run']>[0] = {}) => {
  asked = new Map();
  notified = [];
  return (await exporter()).run(how);
};
const answered = (answer: string) => everyPage().filter((path) => asked.get(path) === answer);
const read = (file: string) => readFileSync(join(directory, file));
const text = (file: string) => read(file).toString();
const put = (file: string, content: string) => writeFile(join(directory, file), content);
const has = (file: string) => existsSync(join(directory, file));
const everyPage = () => [...site.pages.keys()].sort();
/** Replaces a post's page without changing the post itself. */
function show(id: string, page: Parameters<TestSite['pages']['set']>[1]): void {
  site.pages.set(`/post/${id}`, { ...page, tags: [postTag(id)] });
  site.store.invalidate({ tags: [postTag(id)] });
}
const pathOf = (file: string) => `/${file.replace(/\/?index\.html$/, '')}`;
const forms = (file: string) => [file, `${file}.br`, `${file}.gz`];
const cutOff = () => Promise.reject(new Error('cut off'));
beforeEach(async () => {
  [build, oldAddresses] = ['one', []];
  site = await startSite();
  source = createSource(site.origin, 4);
  folder = ownFolder();
  directory = join(folder, 'out');
  mkdirSync(join(folder, 'assets', '_astro'), { recursive: true });
  await writeFile(join(folder, 'assets', 'favicon.svg'), '<svg/>');
  publish(post('c'), post('b'), post('a'));
});
afterEach(async () => {
  source.close();
  await site.close();
});

test('the exported bytes are the served bytes, in every coding', async () => {
  const { posts: count, foreign } = await run();
  expect([count, foreign]).toEqual([3, []]);
  const files = ['index.html', 'author/ada/index.html', 'feed.xml', ...posts.map(({ id }) => `post/${id}/index.html`)];
  expect(files.map(pathOf).sort()).toEqual(everyPage());
  for (const file of files)
    for (const [at, coding] of ['identity', 'br', 'gzip'].entries()) {
      const { body } = await site.get(pathOf(file), { 'accept-encoding': coding });
      expect(read(forms(file)[at] ?? '').equals(body), `${file} ${coding}`).toBe(true);
    }
  const others = ['404.html', 'post/404.html', 'login/index.html', 'edit-post/index.html', 'favicon.svg'];
  for (const file of [...others, '_astro/site-font.woff2']) expect(has(file), file).toBe(true);
  const headers =
    '/post/*\n  Cache-Control: public, max-age=0, must-revalidate\n  Content-Security-Policy: default-src';
  expect(text('_headers')).toContain(`${headers} 'none'`);
  expect(text('_redirects')).toContain('/edit-post/* /edit-post/index.html 200');
  expect(text(NGINX)).toContain('proxy_pass http://127.0.0.1:4321;');
});

test('a second export asks for every page with its validator, and writes the files that show an edit alone', async () => {
  publish(post('e'), post('d'), post('c'), post('b'), post('a'));
  await run();
  expect(answered('plain 200')).toEqual(everyPage());
  const before = statSync(join(directory, NOTES, 'pages.json')).mtimeMs;
  const second = await run();
  expect([second.written, second.removed, answered('validated 304')]).toEqual([[], [], everyPage()]);
  expect(statSync(join(directory, NOTES, 'pages.json')).mtimeMs).toBe(before);
  expect((await run({ all: true })).written).toEqual([]);
  expect(answered('plain 200')).toEqual(everyPage());
  publish(post('e'), post('d'), post('c'), post('b'), post('a', '2'));
  const { written, removed } = await run();
  expect([...written].sort()).toEqual([...forms('index.html'), ...forms('post/a/index.html')].sort());
  expect([removed, answered('validated 200')]).toEqual([[], ['/', '/post/a']]);
  expect(answered('validated 304')).toHaveLength(site.pages.size - 2);
});

test('every page of the route table is part of the export, whether a page names it or not', async () => {
  const all = Array.from({ length: 25 }, (_, i) => post(`p${i}`));
  publish(...all.with(0, { ...post('p0'), featuredImage: 'f1' }));
  const lists = ['/page/2', '/author/ada/page/2', '/archive', '/archive/2026'];
  for (const path of lists) site.pages.set(path, { html: path });
  for (const id of ['p0', 'p24'])
    site.pages.set(`/post/${id}/share.png`, { html: 'PNG', headers: { 'content-type': 'image/png' } });
  await run();
  for (const file of [...lists.map((path) => `${path.slice(1)}/index.html`), 'post/p24/share.png'])
    expect(has(file), file).toBe(true);
  for (const file of ['post/p0/share.png', 'page/3']) expect(has(file), file).toBe(false);
});

test('with another build, or notes that cannot be read, pages are asked for without validators', async () => {
  await run();
  build = 'two';
  site.pages.set('/post/a', { ...site.pages.get('/post/a'), headers: policy('self') });
  await site.store.remove({ paths: ['/post/a'] });
  await run();
  expect(answered('plain 200')).toEqual(everyPage());
  expect(text('_headers')).toContain("Content-Security-Policy: default-src 'self'");
  for (const notes of ['{', '{}', '{"form":6}']) {
    await put(`${NOTES}/pages.json`, notes);
    expect((await run()).written, notes).toEqual([]);
    expect(answered('plain 200'), notes).toEqual(everyPage());
  }
});

test('a page that the server cannot render anew stays, and is counted', async () => {
  await run();
  show('a', { status: 503 });
  const { stale, removed } = await run();
  expect([stale, removed, answered('validated stale 304')]).toEqual([1, [], ['/post/a']]);
  show('a', { html: 'new' });
  expect((await run()).stale).toBe(0);
  expect(text('post/a/index.html')).toBe('new');
});

test('a part of the search index follows its posts and their pages', async () => {
  const index = () => text('search-index/0.json');
  for (const words of ['before', 'afterwards']) {
    // Only the page changes, not the post.
    show('a', { html: `<div class="prose"><p>${words}</p></div></div></article>` });
    await run();
    expect(index()).toContain(`"${words}"`);
  }
  posts = posts.map((each) => ({ ...each, title: `Title ${each.id}` }));
  expect((await run()).written).toEqual(forms('search-index/0.json'));
  expect(index()).toContain('"Title a"');
  const prose = '<div class="prose" lang="ar" dir="rtl"><p>words</p><div>deep</div></div>';
  show('a', { html: `${prose}<ul class="tags"><li>Ink</li></ul></div><nav></nav></article>` });
  await run();
  for (const word of ['words', 'deep']) expect(index()).toContain(`"${word}"`);
  expect(index()).not.toContain('"ink"');
});

test('a server that may have missed it is asked to render changed, new and removed posts, and the adjacent ones', async () => {
  const notifies = async (...tags: readonly string[]) => {
    await run();
    expect([...notified].sort()).toEqual([...tags].sort());
  };
  publish(post('e'), post('d'), post('c'), post('b'), post('a'));
  await notifies(...posts.map(({ id }) => postTag(id)), 'posts');
  await notifies();
  posts = posts.with(2, post('c', '2'));
  await notifies(postTag('c'), 'posts');
  posts = posts.slice(0, 4);
  await notifies(postTag('a'), postTag('b'), 'posts');
  posts = [post('f'), ...posts];
  await notifies(postTag('e'), postTag('f'), 'posts');
});

test('what is no longer published goes before anything that follows from it', async () => {
  await run();
  expect(text('search-index/0.json')).toContain('"b"');
  publish(post('c'), post('a'));
  const { page } = source;
  source = { ...source, page: cutOff };
  await expect(run()).rejects.toThrow('cut off');
  expect(['a', 'b', 'c'].map((id) => has(`post/${id}`))).toEqual([true, false, true]);
  expect(text('search-index/0.json')).not.toContain('"b"');
  source = { ...source, page };
  publish(post('c'), post('b'), post('a'));
  await run();
  expect(has('post/b/index.html.br')).toBe(true);
});

test("the files of deleted posts and pages go, the adjacent posts lose the link, and what is not the export's stays", async () => {
  await run();
  await put('CNAME', 'blog.example');
  await put('post/b/own.txt', 'mine');
  publish(post('c'), post('a'));
  const { removed } = await run();
  expect([...removed].sort()).toEqual(forms('post/b/index.html').sort());
  expect(text('CNAME')).toBe('blog.example');
  expect(text('post/b/own.txt')).toBe('mine');
  expect(text('post/c/index.html')).not.toContain('/post/b');
  site.pages.delete('/author/ada');
  site.store.invalidate({ tags: ['site'] });
  expect((await run()).removed).toEqual(forms('author/ada/index.html'));
});

test('old addresses lead to published posts, and hide no page and nothing that the host answers itself', async () => {
  const own = ['/v1/account', '/v1', '/API/revalidate', '/_astro/x.js', '/edit-post/b', '/404', '/post/404', '/page/1'];
  const kept = [...own, '/post/a'];
  oldAddresses = [
    ...[...kept, '/*', '/:any/x', '/v1x', '/2020/%C3%A4/"b"'].map((from) => ({ from, to: '/post/b' })),
    { from: '/gone', to: '/post/unpublished' },
    { from: '/gone-page', to: '/unpublished' },
    { from: '/gone-part', to: 'https://blog.example/Unpublished/#part' },
    { from: '/gone-before', to: '/gone-page' },
    { from: '/out', to: 'https://elsewhere.example/$1' },
    { from: '/round', to: '/about' },
    { from: '/about', to: 'https://blog.example/Round/' },
  ];
  await run();
  const [redirects, nginx] = [text('_redirects'), text(NGINX)];
  const sources = [...redirects.matchAll(/^(\S+) \/post\/b 301$/gm)].map(([, from = '']) => from);
  const plain = ['/%2A', '/%3Aany/x', '/v1x', '/2020/%C3%A4/"b"'];
  expect(sources.filter((from) => !/\/$|\.html$/.test(from))).toEqual(plain);
  expect(sources).toEqual(expect.arrayContaining(['/2020/%C3%A4/"b"/', '/2020/%C3%A4/"b".html']));
  expect(redirects).not.toMatch(/round|about|unpublished|\/gone/i);
  expect(nginx).not.toMatch(/unpublished/i);
  for (const from of kept) expect(nginx, from).not.toContain(`location = "${from}" { return`);
  expect(nginx).toContain('location = "/2020/ä/\\"b\\"" { return 301 "/post/b"; }');
  expect(nginx).toMatch(/return 301 "https:\/\/elsewhere\.example\/\$\{dollar\}1"/);
  expect(nginx).toContain('geo $dollar');
});

test('a page is a file at its slug, each of its addresses leads to the present one, and a search finds it', async () => {
  publish(post('b'), post('a'));
  await run();
  const about = { ...post('about'), kind: 'page' } as const;
  publish(post('b'), post('a'));
  posts = [post('b'), about, post('a')];
  const prose = '<div class="prose"><p>imprint</p></div></div></article>';
  site.pages.set('/about', { html: prose, tags: [postTag('about')] });
  oldAddresses = [
    { from: '/old-about', to: '/about' },
    { from: '/older-about', to: '/post/about' },
  ];
  await run();
  expect([has('about/index.html.br'), has('post/about')]).toEqual([true, false]);
  for (const from of ['/post/about', '/old-about', '/older-about']) {
    expect(text('_redirects')).toContain(`${from} /about 301\n`);
    expect(text(NGINX)).toContain(`location = "${from}" { return 301 "/about"; }`);
  }
  expect(text('_redirects').indexOf('/post/about /about')).toBeLessThan(text('_redirects').indexOf('/post/* '));
  expect(text(NGINX)).toContain('location = /about {');
  expect(text('_headers')).toContain('\n/about\n');
  expect(text('search-index/0.json')).toContain('"address":"/about"');
  expect(text('search-index/0.json')).toContain('"imprint"');
  // Once `about` is a post again, its page's address redirects to the post in every later export.
  site.pages.delete('/about');
  publish(post('b'), post('about', '2'), post('a'));
  for (let again = 0; again < 2; again++) {
    await run();
    expect([has('about'), has('post/about/index.html')]).toEqual([false, true]);
    for (const from of ['/about', '/old-about', '/older-about'])
      expect(text('_redirects')).toContain(`${from} /post/about 301\n`);
  }
  publish(post('b'), post('a'));
  await run();
  expect(text('_redirects')).not.toMatch(/^\/(?:post\/)?about /m);
});

test('an unpublished page is gone before anything that follows from it', async () => {
  posts = [{ ...post('about'), kind: 'page' }, ...posts];
  site.pages.set('/about', { html: 'About', tags: [postTag('about')] });
  await run();
  publish(post('c'), post('b'), post('a'));
  source = { ...source, page: cutOff };
  await expect(run()).rejects.toThrow('cut off');
  expect([has('about'), has('login/index.html'), has('_astro/site-font.woff2')]).toEqual([false, true, true]);
});

test("a former build's scripts stay for thirty days", async () => {
  await writeFile(join(folder, 'assets', '_astro', 'old.js'), 'old');
  await run();
  rmSync(join(folder, 'assets', '_astro', 'old.js'));
  const begun = Date.now();
  const day = 24 * 3600 * 1000;
  for (const days of [0, 29, 30]) {
    vi.spyOn(Date, 'now').mockReturnValue(begun + days * day);
    await run();
    for (const file of forms('_astro/old.js')) expect(has(file), `${days}`).toBe(days < 30);
  }
  vi.restoreAllMocks();
});

test('the files and folders of others stay in the place of the export’s, and are named', async () => {
  mkdirSync(join(directory, 'feed.xml'), { recursive: true });
  const others = ['author', 'feed.xml/mine', 'index.html'];
  for (const file of others) await put(file, 'mine');
  const { foreign } = await run();
  expect([...foreign].sort()).toEqual(['author/ada/index.html', 'feed.xml', 'index.html']);
  expect(others.map(text)).toEqual(['mine', 'mine', 'mine']);
  expect(has('post/a/index.html')).toBe(true);
});

test('a post may be called as a file of the export is', async () => {
  publish(post('404.html'), post('404.html.br'), post('index.html'), post('a'));
  expect((await run()).foreign).toEqual([]);
  for (const id of ['index.html', '404.html']) expect(text(`post/${id}/index.html`)).toContain(`<h1>${id} 1</h1>`);
  expect(text('post/-/404.html')).toBe('file /post/-');
  expect(text('_redirects')).toContain('/post/* /post/-/404.html 404\n');
  expect(text(NGINX)).toContain('error_page 404 /post/-/404.html;');
  expect((await run()).written).toEqual([]);
  publish(post('a'));
  await run();
  expect(text('post/404.html')).toBe('file /post/-');
  publish(post('a'), post('404.html.gz'));
  await run();
  expect(text('post/404.html.gz/index.html')).toContain('<h1>404.html.gz 1</h1>');
});

test('pictures come in the sizes that pages name, and one in the middle for hosts without queries', async () => {
  canMakePictures = false;
  expect((await run()).missing).toEqual([PICTURE]);
  canMakePictures = true;
  for (const file of ['post/a/index.html', NGINX]) expect(has(file), file).toBe(true);
  expect((await run()).missing).toEqual([]);
  const place = 'v1/storage/buckets/media/files/f1';
  expect(text(`${place}/preview-640x427.webp`)).toBe(`file ${PICTURE}`);
  expect(readdirSync(join(directory, place)).sort()).toEqual(['preview', 'preview-640x427.webp']);
});

test('an export that is broken off leaves whole files, and the next one makes good', async () => {
  await run();
  publish(post('c', '2'), post('b', '2'), post('a', '2'));
  const { page } = source;
  let left = 3;
  source = { ...source, page: (path, etag) => (left-- > 0 ? page(path, etag) : cutOff()) };
  await expect(run()).rejects.toThrow('cut off');
  for (const id of ['a', 'b', 'c']) expect(text(`post/${id}/index.html`).endsWith('<p>text</p>')).toBe(true);
  // The posts are back to their state in the first run, but the interrupted run has replaced some files, so no ETag may
  // be reused.
  source = { ...source, page };
  publish(post('c'), post('b'), post('a'));
  await run();
  for (const id of ['a', 'b', 'c']) {
    const { body } = await site.get(`/post/${id}`, { 'accept-encoding': 'br' });
    expect(read(`post/${id}/index.html.br`).equals(body), id).toBe(true);
  }
});

test('a watching export brings the next time what it could not bring', async () => {
  const { page } = source;
  const watching = await exporter();
  await watching.run();
  publish(post('c'), post('b'), post('a', '2'));
  source = { ...source, page: cutOff };
  await expect(watching.run()).rejects.toThrow('cut off');
  source = { ...source, page };
  await watching.run();
  expect(text('post/a/index.html')).toContain('<h1>a 2</h1>');
});

test('two exports never write to one folder at a time, and a folder keeps its kind', async () => {
  const release = await claim(directory, 'site');
  await expect(claim(directory, 'site')).rejects.toThrow(`Another export (process ${process.pid}) is writing to`);
  await release();
  await expect(claim(directory, 'markdown')).rejects.toThrow('contains the pages of a site');
  await (await claim(directory, 'site'))();
  // Only the folder's owner may read it, because the posts include drafts.
  const posts = join(directory, 'new', 'posts');
  await (await claim(posts, 'markdown'))();
  expect(statSync(posts).mode & 0o777).toBe(0o700);
  await expect(claim(posts, 'site')).rejects.toThrow('contains posts as Markdown');
});

test.each([
  ['site', 'markdown', ['_astro/a.js', 'index.html']],
  ['markdown', 'site', ['pictures/a.png', 'posts/a.md']],
] as const)('the files of a folder tell the kind %s where its note is missing or empty', async (kind, other, files) => {
  const opened = await ExportFolder.open(directory);
  for (const file of files) await opened.put(file, Buffer.from('an export of a former release'));
  await opened.settle();
  for (const _ of ['missing', 'empty']) {
    await expect(claim(directory, other)).rejects.toThrow('Name another folder');
    await (await claim(directory, kind))();
    expect(text(`${NOTES}/kind`)).toBe(`${kind}\n`);
    await put(`${NOTES}/kind`, '');
  }
});
