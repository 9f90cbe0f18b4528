import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Mirror, startMirror } from '../../../tests/support/gateway.ts';
import { createPurger } from '../purge/purger.ts';
import { indexNow, type NotificationDriver, webSub } from './indexnow-and-websub.ts';

const siteUrl = 'https://blog.example';
const key = '0123456789abcdef';
let engine: Mirror;
let logged: string[];
beforeEach(async () => {
  engine = await startMirror();
  logged = [];
});
afterEach(() => engine.stop());

/** Announces changed pages. Returns the requests that were received, as method, path, content type and body. */
async function notify(driver: NotificationDriver, paths: readonly string[]) {
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  const purger = createPurger({ driver, siteUrl, log, delays: [5, 5], timeout: 600_000 });
  purger.purge({ tags: [], paths });
  await purger.idle();
  purger.close();
  return engine.seen.map(({ method, url, headers, body }) => [method, url, headers['content-type'], body]);
}
const driver = () => indexNow({ key, siteUrl, endpoint: `${engine.origin}/indexnow` });

test('a search engine gets the changed URLs in one request, with the place of the key', async () => {
  const [call = [], ...rest] = await notify(driver(), ['/post/one', '/post/two']);
  expect([...call.slice(0, 3), rest]).toEqual(['POST', '/indexnow', 'application/json; charset=utf-8', []]);
  const place = { host: 'blog.example', key, keyLocation: `${siteUrl}/${key}.txt` };
  const urlList = [`${siteUrl}/post/one`, `${siteUrl}/post/two`];
  expect(JSON.parse(`${call[3]}`)).toEqual({ ...place, urlList });
});

test('more URLs than a request may hold are announced as the home page', async () => {
  const paths = Array.from({ length: 10_001 }, (_, i) => `/post/p${i}`);
  const [call = []] = await notify(driver(), paths);
  expect(JSON.parse(`${call[3]}`).urlList).toEqual([`${siteUrl}/`]);
});

test('a hub is told of each feed, as a form', async () => {
  const calls = ['/feed.xml', '/atom.xml', '/feed.json'].map((path) => {
    const body = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': siteUrl + path });
    return ['POST', '/hub', 'application/x-www-form-urlencoded', `${body}`];
  });
  expect(await notify(webSub({ hub: `${engine.origin}/hub`, siteUrl }), ['/post/one'])).toEqual(calls);
});
