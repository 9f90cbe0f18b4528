import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonical, routeOf } from './canonical.ts';
import type { RoutedPost } from './table.ts';
import { ALL_ROUTES, fixedPaths, groupPrefixes, pathsOfTag, ROUTES, sitemapPages, storedPaths } from './table.ts';
import { POSTS, postTag, SITE } from './tags.ts';

const post = (id: string, given: Partial<RoutedPost> = {}): RoutedPost => ({
  ...{ id, userId: 'Ann', featuredImage: 'picture' },
  ...{ createdAt: '2026-05-01T00:00:00.000+00:00', updatedAt: '2026-05-01T00:00:00.000+00:00' },
  ...given,
});

test('every page in the folder of pages has a row, and every row a page', () => {
  const examples: Record<string, string> = { slug: 'a', id: 'a', year: '2026', part: '1', page: '2', size: '192' };
  const files = globSync(['**/*.{astro,ts}', '.well-known/*.ts'], { cwd: join(import.meta.dirname, '../../pages') });
  // A draft's address is a secret, so the table doesn't list it.
  const found = files
    .filter((file) => !/(?:^|\/)_|^api\/|^draft\/|^\d{3}\.|\.test\.|^\[key\]/.test(file))
    .map((file) =>
      `/${file}`
        .replace(/\.(?:astro|ts)$/, '')
        .replace('[...page]', 'page/2')
        .replace(/\[(\w+)\]/g, (_, name: string) => examples[name] ?? name)
        .replace(/\/index$/, '/')
        .replace(/(.)\/$/, '$1'),
    );
  const rows = found.map((path) => routeOf(path)?.route);
  expect(found.filter((_, i) => rows[i] === undefined)).toEqual([]);
  expect(new Set(rows)).toEqual(new Set(ALL_ROUTES));
});

test('a site without a post has the pages of which there is always one', () =>
  expect(storedPaths([])).toEqual(fixedPaths('stored')));

test('a list goes on at numbered pages, and a post without a picture has one that is drawn', () => {
  const posts = Array.from({ length: 25 }, (_, i) => post(`p${i}`, i === 24 ? { featuredImage: '' } : {}));
  const paths = storedPaths(posts);
  expect(paths).toEqual(expect.arrayContaining(['/', '/page/2', '/author/Ann', '/author/Ann/page/2', '/archive/2026']));
  expect(paths.filter((path) => path.includes('/page/'))).toEqual(['/page/2', '/author/Ann/page/2']);
  expect(paths.filter((path) => path.endsWith('/share.png'))).toEqual(['/post/p24/share.png']);
  expect(storedPaths(posts.slice(0, 24)).some((path) => path.includes('/page/'))).toBe(false);
});

test('lists and years follow the owner’s number of posts and time zone', () => {
  const posts = Array.from({ length: 13 }, (_, i) => post(`p${i}`, { createdAt: '2026-12-31T20:00:00.000+00:00' }));
  const paths = storedPaths(posts, { perPage: 6, timeZone: 'Europe/Kyiv' });
  expect(paths).toEqual(expect.arrayContaining(['/page/3', '/author/Ann/page/3', '/archive/2026']));
  expect(storedPaths(posts, { timeZone: 'Asia/Tokyo' })).toContain('/archive/2027');
  expect(sitemapPages(posts, { timeZone: 'Asia/Tokyo' }).map(({ path }) => path)).toContain('/archive/2027');
});

test('a page is at its slug and in the sitemap, and counts in no list of an author, a tag or a year', () => {
  const pages = [
    post('about', { kind: 'page', userId: 'Pia', tags: ['Site'], createdAt: '2020-05-01T00:00:00.000+00:00' }),
    post('team', { kind: 'page-with-byline', featuredImage: '' }),
    post('login', { kind: 'page' }),
  ];
  const posts = Array.from({ length: 24 }, (_, i) => post(`p${i}`));
  const paths = storedPaths([...pages, ...posts]);
  const more = ['/post/login', '/post/team/share.png', '/about', '/team'];
  expect(paths.filter((path) => !storedPaths(posts).includes(path)).sort()).toEqual(more.sort());
  const inSitemap = sitemapPages([...pages, ...posts]).map(({ path }) => path);
  expect(inSitemap).toEqual(expect.arrayContaining(['/about', '/team', '/author/Ann']));
  for (const path of ['/post/about', '/author/Pia', '/tag/site', '/archive/2020', '/login'])
    expect(inSitemap).not.toContain(path);
});

test('every path of the table is its own canonical address', () => {
  const posts = Array.from({ length: 2001 }, (_, i) => post(`p${i}`));
  const paths = storedPaths(posts);
  expect(paths).toContain('/sitemap-2.xml');
  for (const path of paths) expect(canonical(path)).toEqual({ page: path });
});

test('a tag names the pages whose addresses follow from it', () => {
  expect(pathsOfTag(postTag('x'))).toEqual(['/post/x', '/post/x/share.png', '/x']);
  expect(pathsOfTag(SITE).filter((path) => path !== '/site.css')).toEqual(pathsOfTag(POSTS));
  expect(pathsOfTag(SITE)).toContain('/site.css');
  expect(pathsOfTag(POSTS)).toContain('/feed.xml');
  expect(pathsOfTag(POSTS)).not.toContain('/robots.txt');
  expect(pathsOfTag('author:Ann')).toEqual(['/author/Ann']);
  expect(pathsOfTag('other')).toEqual([]);
});

test('hosts have a group for each kind of page of which there are many', () => {
  expect(groupPrefixes('stored')).toEqual(expect.arrayContaining(['/archive/', '/author/', '/page/', '/post/']));
  expect(groupPrefixes('stored')).not.toContain('/');
  expect(groupPrefixes('island')).toEqual(['/edit-post/']);
  expect(ROUTES.home.path('')).toBe('/');
});
