import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  site.pages.set('/', { html: 'home', tags: ['posts'] });
});
afterEach(() => site.close());

test('redirects other addresses of a page and stores nothing for them', async () => {
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

test('redirects an old address in one step, unless the page exists', async () => {
  await site.close();
  const moved = new Map([
    ['/post/of-old/', '/post/one'],
    ['/post/one/', '/post/two'],
  ]);
  site = await startSite({}, 0, undefined, async (url) => moved.get(url));
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  expect((await site.get('/post/of-old/')).headers.location).toBe('/post/one');
  expect((await site.get('/post/one/')).headers.location).toBe('/post/one');
  expect((await site.get('/post/nowhere/')).headers.location).toBe('/post/nowhere');
});

test('refuses an invalid path', async () => {
  for (const path of ['/../x', '/post/%00', '/%', '/post/..%2fx', '/post/%ff']) {
    expect((await site.get(path)).status).toBe(400);
  }
  expect(site.renders).toEqual([]);
});

test('ignores the Host', async () => {
  const first = await site.get('/post/one', { host: 'evil.example' });
  const second = await site.get('http://evil.example/post/one');
  expect([first.text, second.text, site.renders.length]).toEqual(['one', 'one', 1]);
});

test('refuses other methods for public pages', async () => {
  await site.get('/post/one');
  for (const [path, method] of [
    ['/post/one', 'POST'],
    ['/post/One/', 'PUT'],
    ['/post/two', 'PATCH'],
    ['/', 'DELETE'],
  ] as const) {
    const { status, headers } = await site.get(path, {}, method);
    expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
  }
  expect((await site.get('/post/%00', {}, 'POST')).status).toBe(400);
  expect(site.renders).toEqual(['/post/one']);
});

test('leaves other paths to the site', async () => {
  for (const [path, method] of [
    ['/login', 'GET'],
    ['/login', 'POST'],
    ['/api/pages', 'GET'],
  ] as const) {
    expect((await site.get(path, {}, method)).headers['x-from']).toBe('site');
  }
});
