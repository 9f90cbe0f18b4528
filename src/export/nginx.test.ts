import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseRedirects, type Redirect } from '#redirects/redirects-file.ts';
import { SITE } from '../../tests/support/example-site.ts';
import { sharedFolder } from '../../tests/support/folder.ts';
import { hasNginx, startNginx } from '../../tests/support/nginx.ts';
import { rulesOf } from './hosting.ts';
import { nginxFile } from './nginx.ts';

const folder = sharedFolder();
const directory = join(folder, 'www');
let url: string;

const redirects: readonly Redirect[] = parseRedirects(
  [
    '/2019/03/04/ink.html /post/ink',
    '/old%20%22page%22 /post/ink',
    '/?p=123 /post/ink',
    '/?p=124&lang=de https://elsewhere.example/$1',
    '/story.php?id=a.b+c /post/ink',
    ...Array.from({ length: 3000 }, (_, i) => `/?p=${1000 + i} /post/p${i}`),
  ].join('\n'),
).pages;

describe.skipIf(!hasNginx())('an export behind nginx', () => {
  beforeAll(async () => {
    url = `http://127.0.0.1:${await freePort()}`;
    const fixed = ['login/index.html', '404.html', 'post/404.html'];
    const paths = ['/', '/post/ink', '/post/index', '/archive', '/tag/ink', '/tag/feed.xml'];
    const files = [...paths.map((path) => `${path}/index.html`), 'tag/ink/feed.xml', ...fixed];
    for (const file of files.map((each) => each.replace(/^\/+/, ''))) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), file);
    }
    const page = (path: string) => ({ path, headers: ['Vary', 'Accept-Encoding'] });
    const hosting = {
      site: { ...SITE, url },
      directory,
      pages: [
        ...[...paths, '/archive/2026'].map(page),
        { path: '/tag/ink/feed.xml', headers: ['Content-Type', 'application/rss+xml; charset=utf-8'] },
      ],
      fixed: fixed.map((file) => ({ file, page: page(`/${file.replace('/index.html', '')}`) })),
      redirects,
    };
    const { stop } = await startNginx(folder, nginxFile(hosting, rulesOf(hosting)), url);
    return stop;
  });

  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(url + path, { redirect: 'manual' });
    const words = await answer.text();
    return answer.status === 301 ? `to ${answer.headers.get('location')}` : `${answer.status} ${words}`;
  };

  test.each([
    ['/', '200 index.html'],
    ['/post/ink', '200 post/ink/index.html'],
    ['/post/index', '200 post/index/index.html'],
    ['/post/ink/', 'to /post/ink'],
    ['/post/ink/index.html', 'to /post/ink'],
    ['/archive/', 'to /archive'],
    ['/archive/index.html', 'to /archive'],
    ['/login/', 'to /login'],
    ['/login/index.html', 'to /login'],
    ['/index.html', 'to /'],
    ['/tag/ink/', 'to /tag/ink'],
    ['/tag/ink/feed.xml', '200 tag/ink/feed.xml'],
    ['/tag/feed.xml', '200 tag/feed.xml/index.html'],
    ['/tag/nowhere/feed.xml', '404 404.html'],
    ['/nowhere/', 'to /nowhere'],
    ['/nowhere', '404 404.html'],
    ['/post/nowhere', '404 post/404.html'],
  ])('a page has one address: %s gives %s', async (path, answer) => expect(await ask(path)).toBe(answer));

  test('every answer fixes its type, and other sites hear nothing of the writers’ pages', async () => {
    const answers = ['/', '/post/ink', '/post/ink/', '/2019/03/04/ink', '/?p=123', '/nowhere', '/post/nowhere'];
    for (const path of [...answers, '/favicon.svg', '/tag/ink/feed.xml', '/login']) {
      const { headers } = await fetch(url + path, { redirect: 'manual' });
      const policy = path === '/login' ? 'same-origin' : 'strict-origin-when-cross-origin';
      const names = ['x-content-type-options', 'strict-transport-security', 'referrer-policy'];
      expect([path, ...names.map((name) => headers.get(name))]).toEqual([path, 'nosniff', null, policy]);
      if (path.endsWith('.xml')) expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    }
  });

  test.each([
    ['/2019/03/04/ink', 'to /post/ink'],
    ['/2019/03/04/ink/', 'to /post/ink'],
    ['/2019/03/04/ink.html', 'to /post/ink'],
    ['/2019/03/04/ink/index.html', 'to /post/ink'],
    ['/old%20%22page%22/', 'to /post/ink'],
    ['/?p=123', 'to /post/ink'],
    ['/?utm_source=x&p=123', 'to /post/ink'],
    ['/?p=3999', 'to /post/p2999'],
    ['/?lang=de&p=124', 'to https://elsewhere.example/$1'],
    ['/story.php?id=a.b+c', 'to /post/ink'],
    ['/story.php?id=axb+c', '404 404.html'],
    ['/?p=12', '200 index.html'],
    ['/?p=', '200 index.html'],
  ])('one step leads from an old address: %s gives %s', async (path, answer) => expect(await ask(path)).toBe(answer));
});
