import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bunny, cloudflare, fastly, generic, type PurgeDriver } from './drivers.ts';
import { createPurger, type Purger } from './purger.ts';

interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Plays the documented part of the CDNs' APIs. */
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

function purgerOf(driver: PurgeDriver, delays: readonly number[] = [5, 5]): Purger {
  const log = (level: string, message: string) => logged.push(`${level} ${message}`);
  purger = createPurger({ driver, siteUrl: 'https://blog.example', log, delays, timeout: 1000 });
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

  test('by address, and everything', async () => {
    await purged(cloudflare({ ...options(), by: 'urls' }), ['posts'], ['/', '/post/x']);
    await purged(cloudflare(options()), ['site'], ['/']);
    expect(calls.map(({ body }) => body)).toEqual([
      { files: ['https://blog.example/', 'https://blog.example/post/x'] },
      { purge_everything: true },
    ]);
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
    await purged(generic({ template: `${api}{path}`, token: 'secret' }), ['posts'], ['/', '/post/x']);
    expect(calls.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['PURGE', '/', 'Bearer secret'],
      ['PURGE', '/post/x', 'Bearer secret'],
    ]);
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
    const start = performance.now();
    for (let i = 0; i < 100; i++) purger.purge({ tags: ['posts', 'post:x'], paths: ['/'] });
    expect(performance.now() - start).toBeLessThan(50);
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

  test('gives up, says so, and goes on with the next', async () => {
    answers.push({ status: 500 }, { status: 500 }, { status: 500 });
    const purger = purgerOf(driver());
    purger.purge({ tags: ['one'], paths: [] });
    await purger.idle();
    expect(logged.at(-1)).toBe('error fastly was not purged and may show old pages: 500 {"success":false}.');
    purger.purge({ tags: ['two'], paths: [] });
    await purger.idle();
    expect(calls.at(-1)?.body).toEqual({ surrogate_keys: ['two'] });
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

  test('ends when it is closed', async () => {
    answers.push({ status: 500 });
    const purger = purgerOf(driver(), [60_000]);
    purger.purge({ tags: ['posts'], paths: [] });
    await expect.poll(() => logged.length).toBe(1);
    purger.close();
    await purger.idle();
    expect(calls.length).toBe(1);
  });
});
