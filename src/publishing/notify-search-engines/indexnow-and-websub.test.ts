import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPurger, type Purger } from '../purge/purger.ts';
import { indexNow, type NotificationDriver, webSub } from './indexnow-and-websub.ts';

const siteUrl = 'https://blog.example';
const key = '0123456789abcdef';

/** Answers like a search engine and a hub, as documented. */
let server: Server;
let url: string;
let calls: { method: string; path: string; type: string; body: string }[];
let statuses: number[];
let logged: string[];
let purger: Purger | undefined;
beforeEach(async () => {
  [calls, statuses, logged] = [[], [], []];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    calls.push({ method, path, type: headers['content-type'] ?? '', body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses.shift() ?? 202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  purger?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function announce(driver: NotificationDriver, paths: readonly string[]): Promise<void> {
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  purger = createPurger({ driver, siteUrl, log, delays: [5, 5], timeout: 1000 });
  purger.purge({ tags: [], paths });
  await purger.idle();
}

test('a search engine gets the addresses that changed, in one call, with the place of the key', async () => {
  await announce(indexNow({ key, siteUrl, endpoint: `${url}/indexnow` }), ['/post/one', '/post/two']);
  expect(calls.map(({ body, ...call }) => ({ ...call, body: JSON.parse(body) }))).toEqual([
    {
      method: 'POST',
      path: '/indexnow',
      type: 'application/json; charset=utf-8',
      body: {
        host: 'blog.example',
        key,
        keyLocation: `${siteUrl}/${key}.txt`,
        urlList: [`${siteUrl}/post/one`, `${siteUrl}/post/two`],
      },
    },
  ]);
});

test('more addresses than a call may hold are announced as the home page', async () => {
  const many = Array.from({ length: 10_001 }, (_, i) => `/post/p${i}`);
  await announce(indexNow({ key, siteUrl, endpoint: url }), many);
  expect(JSON.parse(calls[0]?.body ?? '{}').urlList).toEqual([`${siteUrl}/`]);
});

test('a hub is told of each feed, as a form', async () => {
  await announce(webSub({ hub: `${url}/hub`, siteUrl }), ['/post/one']);
  expect(calls.map(({ method, path, type }) => [method, path, type])).toEqual(
    Array(3).fill(['POST', '/hub', 'application/x-www-form-urlencoded']),
  );
  expect(calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual(
    ['/feed.xml', '/atom.xml', '/feed.json'].map((path) => ({ 'hub.mode': 'publish', 'hub.url': siteUrl + path })),
  );
});

test('who is away is told again, and the log says who it is', async () => {
  statuses = [503, 429];
  await announce(indexNow({ key, siteUrl, endpoint: url }), ['/post/one']);
  expect(calls.length).toBe(3);
  expect(logged).toEqual([
    'warn IndexNow was not told of changes yet: 503. Trying again.',
    'warn IndexNow was not told of changes yet: 429. Trying again.',
  ]);
});

test('who refuses the key is not told again until something changes', async () => {
  statuses = [403];
  await announce(indexNow({ key, siteUrl, endpoint: url }), ['/post/one']);
  expect(calls.length).toBe(1);
  expect(logged).toEqual(['error IndexNow was not told of changes: 403.']);
});
