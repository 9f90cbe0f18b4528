import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from './testing/site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  site.pages.set('/', { html: 'home', tags: ['posts'] });
});
afterEach(() => site.close());

test('other addresses of a page lead to it, and nothing is stored for them', async () => {
  for (const [from, to] of [
    ['/post/one/', '/post/one'],
    ['/POST/One', '/post/one'],
    ['//post/%6fne?utm=1', '/post/one?utm=1'],
    ['/post/one/index.html', '/post/one'],
    ['/page/1', '/'],
    ['//', '/'],
  ]) {
    const { status, headers } = await site.get(from as string);
    expect([from, status, headers.location]).toEqual([from, 301, to]);
  }
  expect(site.renders).toEqual([]);
});

test('what is no address is refused, and nothing is stored', async () => {
  for (const path of ['/../x', '/post/%00', '/%', '/post/..%2fx', '/post/%ff']) {
    expect((await site.get(path)).status).toBe(400);
  }
  expect(site.renders).toEqual([]);
});

test('a Host of somebody else changes nothing', async () => {
  const first = await site.get('/post/one', { host: 'evil.example' });
  const second = await site.get('http://evil.example/post/one');
  expect([first.text, second.text, site.renders.length]).toEqual(['one', 'one', 1]);
});

test('other methods and other pages are the site’s', async () => {
  for (const [path, method] of [
    ['/post/one', 'POST'],
    ['/', 'DELETE'],
    ['/login', 'GET'],
    ['/api/pages', 'GET'],
  ]) {
    expect((await site.get(path as string, {}, method)).headers['x-from']).toBe('site');
  }
});
