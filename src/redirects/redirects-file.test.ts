import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sharedFolder } from '../../tests/support/folder.ts';
import {
  openRedirects,
  parseRedirects,
  type RedirectsOptions,
  withoutDeadEnds,
  withRedirects,
} from './redirects-file.ts';

const file = join(sharedFolder(), 'redirects');
const isPublished = async (slug: string) => slug !== 'draft' && slug !== 'plan';
const warn = (sentence: string) => expect.fail(sentence);
const options: RedirectsOptions = { siteUrl: 'https://blog.example', isPublished, warn };
afterEach(() => {
  rmSync(file, { force: true });
  vi.restoreAllMocks();
});

test('an old address is found however it is written', async () => {
  writeFileSync(file, '# by hand\n/2020/01/02/Ink.html /post/ink\n/%E6%97%A5/x /post/kanji\n');
  const moved = openRedirects(file, options);
  for (const path of ['/2020/01/02/ink', '/2020/01/02/Ink/', '/2020/01/02/ink/index.html', '/2020//01/02/INK.htm'])
    expect(await moved.targetOf(path), path).toBe('/post/ink');
  expect(await moved.targetOf('/日/x')).toBe('/post/kanji');
  expect(await moved.targetOf('/2020/01/02')).toBeUndefined();
  expect(await moved.targetOf('/%ff')).toBeUndefined();
});

test('addresses with a query are told apart by it, whatever else is asked', async () => {
  const lines = '/?p=123 /post/ink\n/?p=124&lang=de /post/tinte\n/story.php?id=5 /post/five\n/story.php /post/all\n';
  writeFileSync(file, lines);
  const moved = openRedirects(file, options);
  for (const [address, target] of [
    ['/?p=123', '/post/ink'],
    ['/index.html?utm_source=x&p=123', '/post/ink'],
    ['/?p=124', undefined],
    ['/?lang=de&p=124#top', '/post/tinte'],
    ['/?p=1234', undefined],
    ['/?p=', undefined],
    ['/?q=123', undefined],
    ['/', undefined],
    ['/story.php?id=5', '/post/five'],
    ['/%ff?p=123', undefined],
  ] as const)
    expect(await moved.targetOfQuery(address), address).toBe(target);
  expect(await moved.targetOfQuery('/story.php?id=6')).toBeUndefined();
  expect(await moved.targetOf('/story.php?id=6')).toBe('/post/all');
  expect(await moved.targetOf('/story.php?id=5')).toBe('/post/five');
});

test('a target beyond ASCII becomes one that a header may hold, and what is encoded stays', () => {
  const { pages, faults } = parseRedirects('/a https://example.org/日本?q=é\n/b /post/%E6%97%A5\u0001\ud800\n');
  expect(faults).toEqual([]);
  const targets = ['https://example.org/%E6%97%A5%E6%9C%AC?q=%C3%A9', '/post/%E6%97%A5%01%EF%BF%BD'];
  expect(pages.map(({ to }) => to)).toEqual(targets);
});

test('a changed file is read again, a missing one is empty', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const moved = openRedirects(file, options);
  expect(await moved.targetOf('/a')).toBeUndefined();
  writeFileSync(file, '/a /post/a\n');
  expect(await moved.targetOf('/a')).toBeUndefined();
  now.mockReturnValue(1000);
  expect(await moved.targetOf('/a')).toBe('/post/a');
});

const circles = [
  ...['/self /Self/', '/a /b', '/b https://blog.example/c', '/c /A.html', '/into /a'],
  ...['/post/gone /post/lost', '/post/lost /post/gone', '/?p=1 /?p=1&x=2', '/?p=2 https://blog.example?p=2#top'],
  ...['/post/ink /post/paper', '/post/paper /post/ink', '/long /way', '/way https://elsewhere.example/long'],
];

test('nobody is sent round a circle, unless it ends at a post', async () => {
  writeFileSync(file, circles.join('\n'));
  const complaints: string[] = [];
  const isPublished = async (slug: string) => slug === 'ink';
  const moved = openRedirects(file, { ...options, isPublished, warn: (sentence) => complaints.push(sentence) });
  for (const address of ['/self', '/a', '/b', '/c', '/into', '/post/gone', '/post/lost', '/?p=1', '/?p=2'])
    expect(await moved.targetOf(address), address).toBeUndefined();
  expect(await moved.targetOfQuery('/?p=1')).toBeUndefined();
  expect(await moved.targetOf('/post/paper')).toBe('/post/ink');
  expect(await moved.targetOf('/long')).toBe('/way');
  expect(await moved.targetOf('/way')).toBe('https://elsewhere.example/long');
  expect(complaints).toEqual([`${file}: /Self/ lead in a circle and to no page.`]);
  const { pages } = parseRedirects(circles.filter((line) => !line.startsWith('/post/ink')).join('\n'));
  expect(withoutDeadEnds(pages, 'https://blog.example', (slug) => slug === 'ink').map(({ from }) => from)).toEqual([
    '/post/paper',
    '/long',
    '/way',
  ]);
});

const leading = {
  '/?p=123': '/post/draft',
  '/plans': '/plan',
  '/chain': '/step',
  '/step': '/Post/Draft/?a=b#part',
  '/whole': 'https://blog.example/post//draft/index.html#part',
  '/encoded': '/post/%64raft',
};

test('an old address of an unpublished post or page leads nowhere until it is published', async () => {
  writeFileSync(
    file,
    Object.entries(leading)
      .map(([from, to]) => `${from} ${to}\n`)
      .join(''),
  );
  const published = new Set(['ink']);
  const moved = openRedirects(file, { ...options, isPublished: async (slug) => published.has(slug) });
  for (const from of Object.keys(leading)) expect(await moved.targetOf(from), from).toBeUndefined();
  expect(await moved.targetOfQuery('/?utm_source=x&p=123')).toBeUndefined();
  published.add('draft').add('plan');
  for (const [from, to] of Object.entries(leading)) expect(await moved.targetOf(from), from).toBe(to);
  expect(await moved.targetOfQuery('/?utm_source=x&p=123')).toBe('/post/draft');
  published.delete('plan');
  expect(await moved.targetOf('/plans')).toBeUndefined();
});

test('a former slug of a published post, and what is no post, lead on without a word from the unpublished', async () => {
  const lines = {
    '/a': '/post/former',
    '/post/former': '/post/ink',
    '/b': '/archive',
    '/c': 'https://elsewhere.example/x',
  };
  writeFileSync(
    file,
    Object.entries(lines)
      .map(([from, to]) => `${from} ${to}\n`)
      .join(''),
  );
  const moved = openRedirects(file, { ...options, isPublished: async (slug) => slug === 'ink' });
  for (const [from, to] of Object.entries(lines)) expect(await moved.targetOf(from), from).toBe(to);
});

test('an old address is followed while the backend does not respond', async () => {
  writeFileSync(file, '/?p=123 /post/ink\n/old /about\n');
  const moved = openRedirects(file, { ...options, isPublished: () => Promise.reject(new Error('It is down.')) });
  expect(await moved.targetOfQuery('/?p=123')).toBe('/post/ink');
  expect(await moved.targetOf('/old')).toBe('/about');
});

test('lines that cannot be used are named by their number', () => {
  const wrong = ['https://old/b /post/b', '/c', '/d //evil', '/e javascript:x', '/f /x y', '/%zz /post/z'];
  const { pages, faults } = parseRedirects(['/a /post/a', ...wrong].join('\n'));
  expect(pages).toEqual([{ from: '/a', to: '/post/a' }]);
  expect(faults.map((fault) => fault.slice(0, 6))).toEqual(wrong.map((_, at) => `Line ${at + 2}`));
});

test('imports add lines, change none, and leave out what this site has itself', () => {
  const own = { '/A/': 'a', '/post/d': 'd', '/Post/e': 'e', '/': 'g', '/archive': 'h' };
  const others = { '/b c': 'b', '/B c.html': 'other', '/post/old-f': 'f', '/?p=7': 'i', '/index.html?p=7': 'j' };
  const slugs = Object.entries({ ...own, ...others, '/?b=2&a=1 x': 'k' });
  const imported = slugs.map(([from, slug]) => ({ from, to: `/post/${slug}` }));
  const text = withRedirects('/a /post/by-hand', imported);
  const added = '/b%20c /post/b\n/post/old-f /post/f\n/?p=7 /post/i\n/?a=1+x&b=2 /post/k\n';
  expect(text).toBe(`/a /post/by-hand\n${added}`);
  expect(withRedirects(text, [{ from: '/b c', to: '/post/b' }])).toBe(text);
  expect(withRedirects('', [])).toBe('');
});
