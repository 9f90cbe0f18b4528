import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../../../tests/support/folder.ts';
import { type Mirror, startMirror } from '../../../tests/support/gateway.ts';
import { type Cdn, driverOf, type Purge, type PurgeDriver } from './cdn-drivers.ts';
import { savePending, takePending } from './pending-purges-file.ts';
import { EVERYTHING, type PendingPurge } from './purge-queue.ts';
import { createPurger, type Purger, type PurgerOptions } from './purger.ts';

const many = (count: number) => Array.from({ length: count }, (_, i) => `post:p${i}`);
const cdn = (provider: Cdn['provider'], more: Partial<Cdn> = {}): PurgeDriver =>
  driverOf({ provider, token: 'secret', zone: 'z1', purgeBy: 'tags', maxAge: 60, ...more });
const callsOf = (driver: PurgeDriver, purge: Partial<Purge>) =>
  driver.calls({ tags: [], urls: [], everything: false, ...purge });
const PAGE = 'https://blog.example/post/x';
const ALL = { everything: true };

test.each<[Cdn['provider'], Partial<Cdn>, Partial<Purge>, unknown[]]>([
  ['cloudflare', {}, { tags: many(31) }, [{ tags: many(30) }, { tags: ['post:p30'] }]],
  ['cloudflare', { purgeBy: 'urls' }, { tags: ['posts'], urls: [PAGE] }, [{ files: [PAGE] }]],
  ['cloudflare', {}, ALL, [{ purge_everything: true }]],
  ['fastly', {}, { tags: many(257) }, [{ surrogate_keys: many(256) }, { surrogate_keys: ['post:p256'] }]],
  ['fastly', {}, ALL, [undefined]],
  ['bunny', {}, { tags: ['post:x', 'posts'] }, [{ CacheTag: 'post:x' }, { CacheTag: 'posts' }]],
  ['bunny', {}, ALL, [undefined]],
])('%s %j purges %j by bodies within its limits', (provider, more, purge, bodies) => {
  const calls = callsOf(cdn(provider, more), purge);
  expect(calls.map(({ body }) => body && JSON.parse(body))).toEqual(bodies);
});

const generic = (purgeUrl: string) => cdn('generic', { purgeUrl });
const BEARER = { authorization: 'Bearer secret' };
test.each<[string, string, PurgeDriver, Partial<Purge>, object]>([
  ['POST', 'https://api.cloudflare.com/client/v4/zones/z1/purge_cache', cdn('cloudflare'), ALL, BEARER],
  ['POST', 'https://api.fastly.com/service/z1/purge', cdn('fastly'), { tags: ['x'] }, { 'fastly-key': 'secret' }],
  ['POST', 'https://api.fastly.com/service/z1/purge_all', cdn('fastly'), ALL, { 'fastly-key': 'secret' }],
  ['POST', 'https://api.bunny.net/pullzone/z1/purgeCache', cdn('bunny'), ALL, { accesskey: 'secret' }],
  ['PURGE', 'http://a:6081/post/x', generic('http://a:6081{path}'), { urls: [PAGE] }, BEARER],
  ['PURGE', `http://a/?u=${encodeURIComponent(PAGE)}`, generic('http://a/?u={url}'), { urls: [PAGE] }, BEARER],
  ['PURGE', 'http://a/post%3Ax', generic('http://a/{tag}'), { tags: ['post:x'] }, BEARER],
  ['PURGE', 'http://a/site', generic('http://a/{tag}'), ALL, BEARER],
])('%s %s purges pages, with the token', (method, url, driver, purge, headers) =>
  expect(callsOf(driver, purge)).toMatchObject([{ method, url, headers }]),
);

let cache: Mirror;
let logged: string[];
let purger: Purger | undefined;
const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
/** Returns a driver that sends the cache one request per tag. */
const byTag = () => generic(`${cache.origin}/{tag}`);
const byPath = () => generic(`${cache.origin}{path}`);
beforeEach(async () => {
  cache = await startMirror();
  logged = [];
});
afterEach(async () => {
  purger?.close();
  await cache.stop();
});

function open(driver = byTag(), options: Partial<PurgerOptions> = {}): Purger {
  purger = createPurger({ driver, siteUrl: 'https://blog.example', log, delays: [5, 5], timeout: 600_000, ...options });
  return purger;
}
/** Purges these tags and paths. Returns the paths of all requests that the cache has received since it started. */
async function purged(tags: string[], paths: string[] = [], by = open()): Promise<string[]> {
  by.purge({ tags, paths });
  await by.idle();
  return cache.seen.map(({ url }) => decodeURIComponent(url));
}

const LISTS = ['/archive', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/tags.json'];

test('a cache that purges by path is asked for the pages named, those that carry the tags, and the lists, stored or not', async () => {
  const pathsOf = (tags: readonly string[]) => (tags.includes('posts') ? ['/page/2', '/author/ann'] : []);
  const asked = await purged(['post:x', 'posts'], ['/', '/post/w'], open(byPath(), { pathsOf }));
  const posts = ['/post/w', '/post/x', '/post/x/share.png', '/x'];
  expect(asked).toEqual(['/', ...posts, ...LISTS, '/page/2', '/author/ann']);
});

test('a cache that purges by path is asked for each stored page when everything changed', async () => {
  const pathsOf = (tags: readonly string[]) => (tags[0] === 'site' ? ['/post/a', '/post/b'] : []);
  expect(await purged(['site'], [], open(byPath(), { pathsOf }))).toEqual([
    ...['/', ...LISTS.slice(0, -1), '/site.css', ...LISTS.slice(-1)],
    ...['/post/a', '/post/b'],
  ]);
});

test('the queue purges everything instead of more names than the limit', async () => {
  expect(['cloudflare', 'fastly', 'bunny'].map((name) => cdn(name as Cdn['provider']).most)).toEqual([600, 5120, 20]);
  const driver = { ...byTag(), most: 3 };
  expect(await purged(many(3), [], open(driver))).toEqual(many(3).map((tag) => `/${tag}`));
  expect((await purged(many(4), [], open(driver))).slice(3)).toEqual(['/site']);
});

test('the queue returns at once, and purges a name that was added twice once', async () => {
  const purger = open();
  for (let i = 0; i < 100; i++) purger.purge({ tags: ['posts', 'post:x'], paths: ['/'] });
  expect(cache.seen).toEqual([]);
  expect(await purged([], [], purger)).toEqual(['/posts', '/post:x']);
});

test('the queue tries again when the CDN is busy or broken, or does not answer', async () => {
  cache.statuses.push(503, 429);
  expect(await purged(['posts'])).toEqual(['/posts', '/posts', '/posts']);
  expect(logged).toEqual([503, 429].map((seen) => `warn generic was not purged yet: ${seen} seen. Trying again.`));
  await purged(['posts'], [], open(generic('http://127.0.0.1:1/{tag}')));
  expect(logged.length).toBe(5);
});

test('the queue gives up, says so, and tries again with the next change', async () => {
  cache.statuses.push(500, 500, 500);
  const purger = open();
  await purged(['one'], [], purger);
  expect(logged.at(-1)).toBe('error generic was not purged and may show old pages: 500 seen.');
  expect((await purged(['two'], [], purger)).slice(3)).toEqual(['/one', '/two']);
});

test('the queue waits for one call that gets no answer, not for each of many', async () => {
  cache.statuses.push(...Array<number>(20).fill(503));
  expect(await purged(many(10))).toEqual(Array(3).fill('/post:p0'));
});

test('the queue does not try again with a wrong token', async () => {
  cache.statuses.push(403);
  expect([await purged(['posts']), logged.length]).toEqual([['/posts'], 1]);
});

test('the queue ends when it is closed, and returns the pending purges', async () => {
  cache.statuses.push(500);
  const purger = open(byTag(), { delays: [60_000] });
  purger.purge({ tags: ['posts'], paths: ['/'] });
  await expect.poll(() => logged.length).toBe(1);
  purger.purge({ tags: ['post:x'], paths: [] });
  expect(purger.close()).toEqual({ tags: ['post:x', 'posts'], paths: [], everything: false });
  await purger.idle();
  expect(cache.seen.length).toBe(1);
});

let file: string;
beforeEach(() => {
  file = join(ownFolder(), 'purges.json');
});
const NOTHING: PendingPurge = { tags: [], paths: [], everything: false };
const leave = (owed: PendingPurge, build = 'b1') => savePending(file, build, owed, log);
const take = (build = 'b1') => takePending(file, build, log);

test('refused and pending purges are sent after a restart', async () => {
  leave(NOTHING);
  cache.statuses.push(403, 500);
  const first = open(byTag(), { pending: take(), delays: [60_000] });
  await purged(['one'], [], first);
  first.purge({ tags: ['two'], paths: [] });
  await expect.poll(() => logged.length).toBe(2);
  leave(first.close());
  const second = open(byTag(), { pending: take() });
  expect((await purged([], [], second)).slice(2)).toEqual(['/two', '/one']);
  leave(second.close());
  expect(await purged([], [], open(byTag(), { pending: take() }))).toHaveLength(4);
});

test('after a kill, a new build, or without a readable file everything is purged', () => {
  // The first call finds no file, the second only the mark that a killed process leaves.
  for (let i = 0; i < 2; i++) expect(take()).toEqual(EVERYTHING);
  leave(NOTHING);
  expect(take('b2')).toEqual(EVERYTHING);
  leave(NOTHING, 'b2');
  expect(take('b2')).toMatchObject(NOTHING);
  writeFileSync(file, '{"build":"b2","tags":["po');
  expect(take('b2')).toEqual(EVERYTHING);
  leave(EVERYTHING);
  expect(take().everything).toBe(true);
});

test('a folder for pending purges that cannot be written is logged and stops nothing', () => {
  expect(takePending(join(ownFolder(), 'none', 'purges.json'), 'b1', log)).toEqual(EVERYTHING);
  expect(logged[0]).toMatch(/^error .*purges\.json could not be written/);
});
