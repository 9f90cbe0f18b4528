import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bunny, cloudflare, fastly, generic, type PurgeDriver } from './cdn-drivers.ts';
import { savePending, takePending } from './pending-purges-file.ts';
import { EVERYTHING, type PendingPurge } from './purge-queue.ts';
import { createPurger, type Purger, type PurgerOptions } from './purger.ts';

interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Answers like the CDNs' APIs, as documented. */
let server: Server;
let api: string;
let calls: Call[];
let answers: { status: number; headers?: Record<string, string> }[];
let logged: string[];
let purger: Purger | undefined;

beforeEach(async () => {
  [calls, answers, logged] = [[], [], []];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    calls.push({ method, url, headers, body: text ? JSON.parse(text) : undefined });
    const { status, headers: more = {} } = answers.shift() ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(`{"success":${status === 200}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  purger?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const log = (level: string, message: string) => void logged.push(`${level} ${message}`);

function purgerOf(driver: PurgeDriver, options: Partial<PurgerOptions> = {}): Purger {
  purger = createPurger({ driver, siteUrl: 'https://blog.example', log, delays: [5, 5], timeout: 1000, ...options });
  return purger;
}
async function purged(driver: PurgeDriver, tags: string[], paths: string[]): Promise<Call[]> {
  const purger = purgerOf(driver);
  purger.purge({ tags, paths });
  await purger.idle();
  return calls;
}
const many = (count: number) => Array.from({ length: count }, (_, i) => `post:p${i}`);

describe('Cloudflare', () => {
  const options = () => ({ zoneId: 'zone', token: 'secret', api });

  test('by tag, thirty a call', async () => {
    const [first, second, ...rest] = await purged(cloudflare(options()), many(31), ['/']);
    expect(first).toMatchObject({ method: 'POST', url: '/zones/zone/purge_cache', body: { tags: many(30) } });
    expect(first?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
    expect([second?.body, rest]).toEqual([{ tags: ['post:p30'] }, []]);
  });

  test('by address: the pages named, those that carry the tags, and the lists, stored or not; and everything', async () => {
    const pathsOf = (tags: readonly string[]) => (tags.includes('posts') ? ['/page/2', '/author/ann'] : []);
    const purger = purgerOf(cloudflare({ ...options(), by: 'urls' }), { pathsOf });
    purger.purge({ tags: ['post:x', 'posts'], paths: ['/', '/post/w'] });
    await purger.idle();
    await purged(cloudflare(options()), ['site'], ['/']);
    const paths = ['/', '/post/w', '/post/x', '/post/x/share.png', '/archive', '/feed.xml', '/atom.xml', '/feed.json'];
    const files = [...paths, '/sitemap.xml', '/tags.json', '/page/2', '/author/ann'].map(
      (path) => `https://blog.example${path}`,
    );
    expect(calls.map(({ body }) => body)).toEqual([{ files }, { purge_everything: true }]);
  });

  test('everything instead of more calls than are reasonable', async () => {
    await purged(cloudflare(options()), many(600), []);
    expect(calls.length).toBe(20);
    await purged(cloudflare(options()), many(601), []);
    const pathsOf = () => many(601).map((tag) => `/post/${tag}`);
    const purger = purgerOf(cloudflare({ ...options(), by: 'urls' }), { pathsOf });
    purger.purge({ tags: ['posts'], paths: [] });
    await purger.idle();
    expect(calls.slice(20).map(({ body }) => body)).toEqual([{ purge_everything: true }, { purge_everything: true }]);
  });
});

test('Fastly: by surrogate key, 256 a call, and everything', async () => {
  const driver = fastly({ serviceId: 'svc', token: 'secret', api });
  await purged(driver, many(257), []);
  await purged(driver, ['site', 'posts'], []);
  expect(calls.map(({ url, headers }) => [url, headers['fastly-key']])).toEqual([
    ['/service/svc/purge', 'secret'],
    ['/service/svc/purge', 'secret'],
    ['/service/svc/purge_all', 'secret'],
  ]);
  expect(calls[1]?.body).toEqual({ surrogate_keys: ['post:p256'] });
});

test('Bunny: a tag a call, and everything', async () => {
  const driver = bunny({ pullZoneId: '42', accessKey: 'secret', api });
  await purged(driver, ['post:x', 'posts'], ['/']);
  await purged(driver, ['site'], []);
  expect(calls.map(({ url, headers, body }) => [url, headers.accesskey, body])).toEqual([
    ['/pullzone/42/purgeCache', 'secret', { CacheTag: 'post:x' }],
    ['/pullzone/42/purgeCache', 'secret', { CacheTag: 'posts' }],
    ['/pullzone/42/purgeCache', 'secret', undefined],
  ]);
  expect(driver.tagHeaders).toEqual(['CDN-Tag']);
});

describe('any other cache', () => {
  test('by path', async () => {
    await purged(generic({ template: `${api}{path}`, token: 'secret' }), ['author:ann'], ['/', '/post/x']);
    expect(calls.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['PURGE', '/', 'Bearer secret'],
      ['PURGE', '/post/x', 'Bearer secret'],
      ['PURGE', '/author/ann', 'Bearer secret'],
    ]);
  });

  test('everything is each stored page, or the tag that all carry', async () => {
    const pathsOf = (tags: readonly string[]) => (tags[0] === 'site' ? many(3).map((tag) => `/post/${tag}`) : []);
    const purger = purgerOf(generic({ template: `${api}{path}` }), { pathsOf });
    purger.purge({ tags: ['site'], paths: [] });
    await purger.idle();
    await purged(generic({ template: `${api}/tags/{tag}` }), ['site'], []);
    const lists = ['/', '/archive', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/tags.json'];
    expect(calls.map(({ url }) => url)).toEqual([...lists, ...pathsOf(['site']), '/tags/site']);
  });

  test('by address and by tag', async () => {
    await purged(generic({ template: `${api}/purge?u={url}`, method: 'GET' }), [], ['/post/x']);
    await purged(generic({ template: `${api}/tags/{tag}`, method: 'DELETE' }), ['post:x'], ['/post/x']);
    expect(calls.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/purge?u=https%3A%2F%2Fblog.example%2Fpost%2Fx'],
      ['DELETE', '/tags/post%3Ax'],
    ]);
  });
});

describe('the queue', () => {
  const driver = () => fastly({ serviceId: 'svc', token: 'secret', api });

  test('returns at once, and purges what is named twice only once', async () => {
    const purger = purgerOf(driver());
    for (let i = 0; i < 100; i++) purger.purge({ tags: ['posts', 'post:x'], paths: ['/'] });
    expect(calls).toEqual([]);
    await purger.idle();
    expect(calls.map(({ body }) => body)).toEqual([{ surrogate_keys: ['posts', 'post:x'] }]);
  });

  test('tries again when the CDN is busy or broken', async () => {
    answers.push({ status: 503 }, { status: 429, headers: { 'retry-after': '0' } });
    await purged(driver(), ['posts'], []);
    expect(calls.length).toBe(3);
    expect(logged).toEqual([
      'warn fastly was not purged yet: 503 {"success":false}. Trying again.',
      'warn fastly was not purged yet: 429 {"success":false}. Trying again.',
    ]);
  });

  test('gives up, says so, and tries again with the next change', async () => {
    answers.push({ status: 500 }, { status: 500 }, { status: 500 });
    const purger = purgerOf(driver());
    purger.purge({ tags: ['one'], paths: [] });
    await purger.idle();
    expect(logged.at(-1)).toBe('error fastly was not purged and may show old pages: 500 {"success":false}.');
    purger.purge({ tags: ['two'], paths: [] });
    await purger.idle();
    expect(calls.at(-1)?.body).toEqual({ surrogate_keys: ['one', 'two'] });
  });

  test('waits for one call that gets no answer, not for each of many', async () => {
    const slow = bunny({ pullZoneId: '42', accessKey: 'secret', api });
    answers.push(...Array.from({ length: 20 }, () => ({ status: 503 })));
    await purged(slow, many(10), []);
    expect(calls.length).toBe(3);
  });

  test('does not try again with a wrong token', async () => {
    answers.push({ status: 403 });
    await purged(driver(), ['posts'], []);
    expect([calls.length, logged.length]).toEqual([1, 1]);
  });

  test('tries again when nobody answers', async () => {
    await purged(fastly({ serviceId: 'svc', token: 'secret', api: 'http://127.0.0.1:1' }), ['posts'], []);
    expect(logged.length).toBe(3);
  });

  test('ends when it is closed, and gives what is not purged', async () => {
    answers.push({ status: 500 });
    const purger = purgerOf(driver(), { delays: [60_000] });
    purger.purge({ tags: ['posts'], paths: ['/'] });
    await expect.poll(() => logged.length).toBe(1);
    purger.purge({ tags: ['post:x'], paths: [] });
    expect(purger.close()).toEqual({ tags: ['post:x', 'posts'], paths: [], everything: false });
    await purger.idle();
    expect(calls.length).toBe(1);
  });

  test('gives up a call that is under way when it is closed', async () => {
    const purger = purgerOf(driver());
    server.removeAllListeners('request');
    const asked = new Promise((resolve) => server.once('request', resolve));
    purger.purge({ tags: ['posts'], paths: [] });
    await asked;
    expect(purger.close().tags).toEqual(['posts']);
  });
});

describe('from one process to the next', () => {
  const driver = () => fastly({ serviceId: 'svc', token: 'secret', api });
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'purges-'));
    file = join(folder, 'purges.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const leave = (owed: PendingPurge, build = 'b1') => savePending(file, build, owed, log);

  test('what was refused or not purged yet is purged after a restart', async () => {
    leave({ tags: [], paths: [], everything: false });
    answers.push({ status: 403 }, { status: 500 });
    const first = purgerOf(driver(), { pending: takePending(file, 'b1', log), delays: [60_000] });
    first.purge({ tags: ['one'], paths: [] });
    await first.idle();
    first.purge({ tags: ['two'], paths: [] });
    await expect.poll(() => calls.length).toBe(2);
    await expect.poll(() => logged.length).toBe(2);
    leave(first.close());
    const second = purgerOf(driver(), { pending: takePending(file, 'b1', log) });
    await second.idle();
    expect(calls.at(-1)?.body).toEqual({ surrogate_keys: ['two', 'one'] });
    leave(second.close());
    await purgerOf(driver(), { pending: takePending(file, 'b1', log) }).idle();
    expect(calls.length).toBe(3);
  });

  test('after a kill, a new build, or no word at all everything is purged', () => {
    expect(takePending(file, 'b1', log)).toEqual(EVERYTHING);
    // A killed process leaves no file.
    expect(takePending(file, 'b1', log)).toEqual(EVERYTHING);
    const nothing = { tags: [], paths: [], everything: false };
    leave(nothing);
    expect(takePending(file, 'b2', log)).toEqual(EVERYTHING);
    leave(nothing, 'b2');
    expect(takePending(file, 'b2', log)).toMatchObject(nothing);
    writeFileSync(file, '{"build":"b2","tags":["po');
    expect(takePending(file, 'b2', log)).toEqual(EVERYTHING);
    leave(EVERYTHING);
    expect(takePending(file, 'b1', log).everything).toBe(true);
  });

  test('a folder that cannot be written is told of, and stops nothing', () => {
    expect(takePending(join(folder, 'none', 'purges.json'), 'b1', log)).toEqual(EVERYTHING);
    expect(logged[0]).toMatch(/^error .*purges\.json could not be written/);
  });
});
