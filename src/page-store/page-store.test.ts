import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as support from '../../tests/support/store/site.ts';

const BODY = `<!doctype html><title>One</title>${'<p>The same words again. </p>'.repeat(100)}`;
const STALE = expect.stringMatching(/^stale; age=\d+$/);
const NOON = 1_800_000_000_000;
const { failRenders, gateway, holdRenders, startSite } = support;
type ScriptedPage = support.ScriptedPage;
let site: support.TestSite;
beforeEach(async () => {
  site = await startSite();
  site.pages.set('/post/one', { html: BODY, tags: ['post:one', 'author:ann'], headers: { 'x-own': 'yes' } });
  site.pages.set('/', { html: '<h1>Home</h1>', tags: ['posts'] });
});
afterEach(() => site.close());

/** Changes the post and marks its page as outdated. */
function change(page: string | ScriptedPage): void {
  site.pages.set('/post/one', typeof page === 'string' ? { html: page, tags: ['post:one'] } : page);
  site.store.invalidate({ tags: ['post:one'] });
}
const text = async (path = '/post/one') => (await site.get(path)).text;
const label = async (path = '/post/one') => `${(await site.get(path)).headers['x-page']}`;
const unpacked = ([identity, gzip, br]: readonly Buffer[]) =>
  [identity, gunzipSync(gzip as Buffer), brotliDecompressSync(br as Buffer)].map(String);
const fileOf = (name: string) => join(site.directory, 'public/post/one', name);

test('a stored page is rendered once and then sent as it is, with its own headers and those for CDNs', async () => {
  expect(await label()).toMatch(/^rendered; age=\d+$/);
  const got = await site.get('/post/one');
  expect(got.text).toBe(BODY);
  const policy = 'public, max-age=0, must-revalidate';
  expect(got.headers).toMatchObject({
    'x-page': expect.stringMatching(/^hit; age=\d+$/),
    ...{ 'server-timing': 'page;desc="hit"', 'content-type': 'text/html; charset=utf-8', 'x-own': 'yes' },
    ...{ 'cache-control': policy, 'cdn-cache-control': policy },
    ...{ 'cache-tag': 'site,author:ann,post:one', 'surrogate-key': 'site author:ann post:one' },
  });
  for (const name of ['x-page-ttl', 'x-page-tags']) expect(got.headers).not.toHaveProperty(name);
  const head = await site.get('/post/one', {}, 'HEAD');
  const { etag, 'content-length': length } = got.headers;
  expect(head).toMatchObject({ status: 200, text: '', headers: { etag, 'content-length': length } });
  expect(site.renders).toEqual(['/post/one']);
});

test('a stored page is a 304 for a matching validator, weak ones included, and a 200 for another encoding', async () => {
  const etag = `${(await site.get('/post/one', { 'accept-encoding': 'br' })).headers.etag}`;
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await site.get('/post/one', { 'accept-encoding': 'br', 'if-none-match': held });
    expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag]);
    expect(answer.headers).not.toHaveProperty('content-length');
  }
  const other = await site.get('/post/one', { 'accept-encoding': 'gzip', 'if-none-match': etag });
  expect(other.status).toBe(200);
});

test('a stored page keeps its validator if a render is the same, and gets another if only its headers changed', async () => {
  const held = { 'if-none-match': `${(await site.get('/post/one')).headers.etag}` };
  site.store.invalidate({ tags: ['post:one'] });
  expect((await site.get('/post/one', held)).status).toBe(304);
  expect(site.renders.length).toBe(2);
  change({ html: BODY, tags: ['post:one'], headers: { 'content-security-policy': 'x' } });
  const { status, headers, ...after } = await site.get('/post/one', held);
  expect([status, after.text, headers['content-security-policy']]).toEqual([200, BODY, 'x']);
});

test('a stored page is written in each encoding to a folder that any web server can serve', async () => {
  for (const path of ['/', '/post/one']) await site.get(path);
  const files = ['', '.gz', '.br'].map((ending) => readFileSync(fileOf(`index.html${ending}`)));
  expect(unpacked(files)).toEqual([BODY, BODY, BODY]);
  expect(readdirSync(join(site.directory, 'public')).length).toBe(4);
});

test.each([200, 404])('a %i is sent in the encoding the client prefers', async (status) => {
  site.pages.set('/post/one', { html: BODY, status });
  const accepted = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'gzip, deflate, br, zstd' }];
  const forms = await Promise.all(accepted.map((headers) => site.get('/post/one', headers as Record<string, string>)));
  expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
  expect(unpacked(forms.map(({ body }) => body))).toEqual([BODY, BODY, BODY]);
  for (const { headers, body } of forms)
    expect([headers.vary, headers['content-length']]).toEqual(['Accept-Encoding', `${body.length}`]);
  const validators = new Set(forms.map(({ headers }) => headers.etag));
  expect([...validators]).toEqual(status === 200 ? Array(3).fill(expect.stringMatching(/^"[\w-]+"$/)) : [undefined]);
});

test.each<[string, ScriptedPage]>([
  ['a 404', { status: 404, html: 'none' }],
  ['a redirect', { status: 302, headers: { location: '/' } }],
  ['a page that did not ask', { html: 'shy', maxAge: 0 }],
  ['a page that sets a cookie', { html: 'a', headers: { 'set-cookie': 'who=alice' } }],
  ['a page that varies by its visitor', { html: 'a', headers: { vary: 'Accept-Encoding, Cookie' } }],
])('%s is not stored: each reader gets a new render, and no cookie', async (_, page) => {
  site.pages.set('/post/one', page);
  for (let i = 0; i < 2; i++) {
    const answer = await site.get('/post/one');
    expect([answer.status, answer.headers['cache-control']]).toEqual([page.status ?? 200, 'no-store']);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  }
  expect([site.store.holds('/post/one'), site.renders.length]).toEqual([false, 2]);
});

test('a change by tag renders the pages with that tag again, and by the tag `site` every page', async () => {
  for (const path of ['/post/one', '/']) await site.get(path);
  change('new');
  expect(await text()).toBe('new');
  expect(await label('/')).toMatch(/^hit/);
  site.store.invalidate({ tags: ['site'] });
  for (const path of ['/post/one', '/']) await site.get(path);
  expect(site.renders).toEqual(['/post/one', '/', '/post/one', '/post/one', '/']);
});

test('a change shows the old page until the writer’s render is done', async () => {
  // Stops the clock, so that the old page and the change have the same timestamp.
  await site.restart({ now: () => NOON });
  await site.get('/');
  const { release } = holdRenders(site);
  site.pages.set('/', { html: 'new', tags: ['posts'] });
  const refreshed = site.store.refresh('/', site.store.invalidate({ tags: ['posts'] }, ['/']), 'test');
  const during = await site.get('/');
  expect(during).toMatchObject({ text: '<h1>Home</h1>', headers: { 'x-page': STALE } });
  release();
  expect(await refreshed).toMatchObject({ kind: 'stored', changed: true });
  expect(await text('/')).toBe('new');
});

test('a change during a render outdates its result: later requests get a later render', async () => {
  const { begun, release } = holdRenders(site);
  const early = text();
  await begun;
  change('new');
  const late = text();
  release();
  expect([await early, await late, await text()]).toEqual([BODY, 'new', 'new']);
  expect(site.renders.length).toBe(2);
});

test('a full disk keeps pages in memory and no older version in the folder, and they are stored once there is room', async () => {
  let hasRoom = true;
  await site.restart({ hasRoom: () => hasRoom });
  await site.get('/post/one');
  hasRoom = false;
  change('new');
  expect(await text()).toBe('new');
  expect(await label()).toMatch(/^hit/);
  expect([site.store.explain('/post/one')?.onDisk, existsSync(fileOf('index.html'))]).toEqual([false, false]);
  hasRoom = true;
  change('newer');
  expect([await text(), site.store.explain('/post/one')?.onDisk]).toEqual(['newer', true]);
  hasRoom = false;
  change('newest');
  expect(await text()).toBe('newest');
  await site.restart();
  expect(await text()).toBe('newest');
});

test('a removal takes the page from readers, from the folder and from the next start', async () => {
  await site.get('/post/one');
  site.pages.delete('/post/one');
  expect(await site.store.remove({ tags: ['post:one'] })).toEqual(['/post/one']);
  expect([existsSync(fileOf('')), (await site.get('/post/one')).status]).toEqual([false, 404]);
  await site.restart();
  expect(site.store.holds('/post/one')).toBe(false);
});

test('a removal discards the render that was under way', async () => {
  const { begun, release } = holdRenders(site);
  const early = site.get('/post/one');
  await begun;
  site.pages.delete('/post/one');
  const removal = site.store.remove({ tags: ['post:one'] });
  release();
  await removal;
  expect([(await early).status, site.store.holds('/post/one')]).toEqual([404, false]);
});

test('a failing backend leaves outdated pages to be sent as stale, and is asked again after a second', async () => {
  let now = NOON;
  await site.restart({ now: () => now });
  await site.get('/post/one');
  change({ status: 503, html: 'down' });
  for (let i = 0; i < 2; i++) {
    const { status, headers, ...answer } = await site.get('/post/one');
    expect([status, answer.text, headers['x-page']]).toEqual([200, BODY, STALE]);
  }
  site.pages.set('/post/one', { html: 'back', tags: ['post:one'] });
  expect(await text()).toBe(BODY);
  now += 1001;
  expect(await text()).toBe('back');
});

test('a failing backend sends a 503 for a page that is not stored: the site’s own, or that of a renderer that throws', async () => {
  site.pages.set('/post/one', { status: 503, html: 'Error: no backend' });
  const [own, thrown] = ['Error: no backend', expect.stringContaining('Retry')];
  const unavailable = { status: 503, headers: expect.objectContaining({ 'retry-after': '5' }) };
  expect(await site.get('/post/one')).toMatchObject({ ...unavailable, text: own });
  failRenders(site);
  expect(await site.get('/post/one')).toMatchObject({ ...unavailable, text: thrown });
});

test('a backend that hangs is given up, and keeps no reader of an outdated page waiting', async () => {
  await site.restart({ renderTimeout: 50 });
  const door = gateway();
  site.gate.before = (path) => path !== '/' && door.opened;
  expect((await site.get('/post/none')).status).toBe(503);
  await site.restart({ renderTimeout: 3_600_000, idleTimeout: 50 });
  await site.get('/');
  site.gate.before = () => door.opened;
  site.store.invalidate({ tags: ['posts'] });
  expect(await label('/')).toMatch(/^stale/);
  door.open();
});

test('after a restart, a page of another build is rendered again before it is shown, if it can be', async () => {
  await site.restart({ build: 'a' });
  for (const path of ['/post/one', '/']) await site.get(path);
  site.pages.set('/post/one', { html: 'new look', tags: ['post:one'] });
  site.pages.set('/', { status: 503 });
  await site.restart({ build: 'b' });
  expect([await text(), await text('/')]).toEqual(['new look', '<h1>Home</h1>']);
});

test('after a restart, a file that is not what was stored is never sent', async () => {
  await site.get('/post/one');
  writeFileSync(fileOf('index.html'), BODY.slice(0, -1));
  await site.restart();
  const answer = await site.get('/post/one');
  expect([answer.text, answer.headers['x-page']]).toEqual([BODY, expect.stringMatching(/^rendered/)]);
  expect(site.logged).toContain('warn The stored page /post/one is damaged and will be rendered again.');
});

describe('bounds', () => {
  const paths = Array.from({ length: 40 }, (_, i) => `/post/p${i}`);
  beforeEach(() => {
    for (const path of paths) site.pages.set(path, { html: `<p>${path}</p>${'x'.repeat(3000)}`, tags: [path] });
  });

  test('on disk: the pages unread for longest are dropped', async () => {
    let now = NOON;
    await site.restart({ maximumBytes: 40_000, now: () => now });
    for (const path of paths) {
      await site.get(path);
      now += 1000;
      await site.get('/post/p0');
    }
    const { pages, bytes } = site.store.statistics();
    expect([bytes <= 40_000, pages > 5]).toEqual([true, true]);
    expect([site.store.holds('/post/p0'), site.store.holds('/post/p39')]).toEqual([true, true]);
    site.store.close();
    expect(readdirSync(join(site.directory, 'public/post')).length).toBe(pages);
  });

  test('in memory: pages unread for longest leave it, and conditional requests load none', async () => {
    const asBrowser = { 'accept-encoding': 'br' };
    const validators = new Map<string, string>();
    for (const path of paths) validators.set(path, `${(await site.get(path, asBrowser)).headers.etag}`);
    for (let i = 0; i < 2; i++) await site.restart({ memoryBytes: 20_000, state: 's' }, 's');
    await site.get('/post/p0', asBrowser);
    const held = site.store.statistics().memoryBytes;
    for (const [path, etag] of validators)
      expect((await site.get(path, { ...asBrowser, 'if-none-match': etag })).status).toBe(304);
    expect(site.store.statistics().memoryBytes).toBe(held);
    for (const path of paths) expect(await text(path)).toContain(`<p>${path}</p>`);
    expect(site.store.statistics().memoryBytes).toBeLessThanOrEqual(20_000);
    expect(site.renders.length).toBe(paths.length);
  });

  test('in time: an expired page is sent once more while it is rendered again', async () => {
    let now = NOON;
    await site.restart({ now: () => now, maximumAge: 60 });
    await site.get('/post/one');
    site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
    now += 59_000;
    expect(await label()).toBe('hit; age=59');
    now += 1000;
    expect(await label()).toBe('stale; age=60');
    await expect.poll(() => text()).toBe('new');
  });
});

test.each([
  [undefined, 'cdn-cache-control', /^public, max-age=3600, stale-while-revalidate=60/],
  ['Surrogate-Control', 'surrogate-control', /^public, max-age=3600, stale-while-revalidate=60/],
  ['s-maxage', 'cache-control', /^public, max-age=0, must-revalidate, s-maxage=3600$/],
] as const)('a CDN may keep a page by %s, but no stale one: its purge may be over', async (control, header, told) => {
  await site.restart({ edge: { maxAge: 3600, control } });
  for (let i = 0; i < 2; i++) expect((await site.get('/post/one')).headers[header]).toMatch(told);
  failRenders(site);
  site.store.invalidate({ tags: ['post:one'] });
  expect((await site.get('/post/one')).headers[header]).toBe('public, max-age=0, must-revalidate');
});

test('a CDN in front is told of a page that changed or vanished without an invalidation', async () => {
  const found: string[] = [];
  let now = NOON;
  const later = async () => {
    now += 60_000;
    await site.get('/post/one');
    await site.store.rendered(['/post/one']);
    return found.splice(0);
  };
  await site.restart({ now: () => now, maximumAge: 60, onStalePageFound: (path) => found.push(path) });
  await site.get('/post/one');
  expect(await later()).toEqual([]);
  site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
  expect(await later()).toEqual(['/post/one']);
  site.pages.set('/post/one', { html: 'newer', tags: ['post:one'] });
  await site.store.refresh('/post/one', site.store.invalidate({ paths: ['/post/one'] }), 'test');
  site.pages.delete('/post/one');
  expect(await later()).toEqual(['/post/one']);
});
