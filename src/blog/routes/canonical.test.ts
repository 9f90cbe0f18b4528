import { expect, test } from 'vitest';
import { canonical } from './canonical.ts';

test.each([
  ...['/', '/post/hello-world', '/post/a.b_c-1', '/post/x', '/post/index.html', `/post/${'x'.repeat(36)}`],
  ...['/page/2', '/page/999999', '/feed.xml', '/sitemap.xml', '/sitemap-12.xml', '/robots.txt'],
  ...['/post/x/share.png', '/author/Ada.1_x-', '/author/Ada/page/3'],
  ...['/archive', '/archive/2026', '/archive/2026/page/2'],
  ...['/about', '/x', '/4040', '/about_us'],
])('%s is its own address', (page) => expect(canonical(page)).toEqual({ page }));

test.each([
  ['/feed.json?a', '/feed.json'],
  ['/?utm_source=feed', '/'],
  ['/post/x?a=1&b=%', '/post/x'],
  ['http://somebody.else/post/x', '/post/x'],
  ['http://somebody.else', '/'],
])('%s is the page %s', (url, page) => expect(canonical(url)).toEqual({ page }));

test.each([
  ['/post/x/', '/post/x'],
  ['/post/X', '/post/x'],
  ['/POST/x', '/post/x'],
  ['//post//x', '/post/x'],
  ['//', '/'],
  ['/post/%78', '/post/x'],
  ['/%70ost/x', '/post/x'],
  ['/post%2Fx', '/post/x'],
  ['/post/x/index.html', '/post/x'],
  ['/post/x/index.htm', '/post/x'],
  ['/post/x/index', '/post/x'],
  ['/index.html', '/'],
  ['/Feed.XML', '/feed.xml'],
  ['/AUTHOR/Ada/Page/02/', '/author/Ada/page/2'],
  ['/author/Ada/page/1', '/author/Ada'],
  ['/archive/', '/archive'],
  ['/archive/2026/page/01', '/archive/2026'],
  ['/INDEX.HTML', '/'],
  ['/page/1', '/'],
  ['/page/1/', '/'],
  ['/page/02', '/page/2'],
  ['/./post/x', '/post/x'],
  ['/post/x/.', '/post/x'],
  ['/post/X/?q=1', '/post/x?q=1'],
  ['/index.html?q=1#top', '/?q=1'],
  ['/post/x#top', '/post/x'],
  ['/Login', '/login'],
  ['/SEARCH?q=Ink', '/search?q=Ink'],
  ['/all-posts/', '/all-posts'],
  ['/signup/index.html', '/signup'],
  ['/Edit-Post/Hello', '/edit-post/hello'],
  ['/About/', '/about'],
  ['/about/index.html?a=1', '/about?a=1'],
])('%s is sent to %s', (url, target) => {
  const address = canonical(url);
  // Requests have no fragment; a client that sends one anyway gets the page.
  expect(address).toEqual(url === '/post/x#top' ? { page: target } : { redirect: target });
});

test('another address of a page never leads to another host', () => {
  for (const url of ['//evil.example', '//evil.example/', '/\\evil.example', '//evil.example/post/x', '/%2f%2fevil']) {
    const address = canonical(url);
    if (address && 'redirect' in address) expect(address.redirect).toMatch(/^\/(?!\/)/);
  }
});

test.each([
  ...['/../etc/passwd', '/post/../x', '/post/..', '/post/%2e%2e/x', '/post/%2E%2E%2Fx', '/post/..%2f..%2fx'],
  ...['/post/x%00', '/%00', '/post/%', '/post/%zz', '/post/%c3%28', '/post/%c0%ae%c0%ae/x'],
  ...['/post\\x', '/post/..%5cx', '/post/x%0d%0aSet-Cookie:a=b'],
])('refuses %s', (url) => expect(canonical(url)).toEqual({ refused: 400 }));

test.each([
  ...['/post', '/post/', '/post/x/y', '/post/-x', '/post/.hidden', `/post/${'x'.repeat(37)}`, '/post/%E6%97%A5'],
  ...['/page/0', '/page/-1', '/page/2.5', '/page/1000000', '/page', '/login', '/api/pages?path=/post/x'],
  ...['/_astro/x.js', '/favicon.svg', '*', '/%252e%252e/x', '/about.html', '/other.css', '/v1', '/metrics', '/draft'],
])('leaves to others %s', (url) => expect(canonical(url)).toBeUndefined());
