import { expect, test } from 'vitest';
import { WORKER_SCOPES } from '#blog/routes/paths.ts';
import { ALL_ROUTES, ANY, PARAMETERS } from '#blog/routes/table.ts';
import { type Asked, filesNamedIn, isPage, kindOf, listNamedIn } from './addresses.ts';

const site = { origin: 'https://ink.example', endpoint: 'https://ink.example/v1', scope: '/all-posts' };
const direct = { ...site, endpoint: 'https://api.example/v1' };
const ask = (path: string, more: Partial<Asked> = {}): Asked => ({
  ...{ method: 'GET', mode: 'cors', url: new URL(path, site.origin).href },
  ...more,
});
const visit = (path: string, scope: string, method = 'GET') =>
  kindOf(ask(path, { mode: 'navigate', method }), { ...site, scope });

test('no reader’s address lies under a scope, whatever its parameter', () => {
  const names = [ANY, 'x', 'accounting', 'account', 'add-post-2', 'all-posts'];
  for (const { path, parameter, kind } of ALL_ROUTES) {
    const isPossible = (name: string) => new RegExp(`^${parameter ? PARAMETERS[parameter] : ''}$`).test(name);
    const paths = parameter ? names.filter((name) => name === ANY || isPossible(name)).map(path) : [path('')];
    for (const each of paths) {
      const isUnder = WORKER_SCOPES.some((scope) => each.startsWith(scope));
      expect([each, isUnder]).toEqual([each, isUnder && kind === 'island']);
    }
  }
  const writers = ALL_ROUTES.map(({ path }) => path('x')).filter((path) =>
    WORKER_SCOPES.some((at) => path.startsWith(at)),
  );
  expect(writers.sort()).toEqual(['/account', '/add-post', '/all-posts', '/edit-post/x']);
});

test.each([
  ['/all-posts', '/all-posts', 'page'],
  ['/all-posts?scope=mine', '/all-posts', 'page'],
  ['/edit-post/x', '/edit-post/', 'page'],
  ['/edit-post/', '/edit-post/', 'other'],
  ['/edit-post/x/y', '/edit-post/', 'other'],
  ['/accounting', '/account', 'other'],
  ['/account/x', '/account', 'other'],
  ['https://other.example/all-posts', '/all-posts', 'other'],
])('a visit of %s under %s is of the kind %s', (path, scope, kind) => expect(visit(path, scope)).toBe(kind));

test('only the form for a new post takes what is shared', () => {
  expect(visit('/add-post', '/add-post', 'POST')).toBe('share');
  expect(visit('/account', '/account', 'POST')).toBe('other');
  expect(visit('/edit-post/x', '/edit-post/', 'POST')).toBe('other');
});

test.each([
  ['/_astro/a.js', 'file'],
  ['https://other.example/_astro/a.js', 'other'],
  ['/v1/account', 'account'],
  ['/v1/account/sessions', 'data'],
  ['/v1/account/mfa/factors', 'data'],
  ['/v1/account/mfa/recovery-codes', 'other'],
  ['/v1/databases/blog/collections/articles/documents/x', 'data'],
  ['/v1/storage/buckets/media/files/x/view?project=ink', 'picture'],
  ['/v1/storage/buckets/media/files/x/preview?width=320', 'picture'],
  ['/v1/storage/buckets/media/files/x/download', 'other'],
  ['/api/site', 'data'],
  ['/api/authors?ids=x', 'data'],
  ['/tags.json', 'data'],
  ['/api/newsletter/export', 'other'],
  ['/api/people', 'other'],
  ['/', 'other'],
  ['https://api.example/v1/account', 'other'],
])('a request for %s is of the kind %s', (path, kind) => {
  expect(kindOf(ask(path), site)).toBe(kind);
  expect(kindOf(ask(path, { method: 'POST' }), site)).toBe('other');
});

test('answers of another origin are taken only from the configured backend', () => {
  expect(kindOf(ask('https://api.example/v1/account'), direct)).toBe('account');
  expect(kindOf(ask('https://api.example/v10/account'), direct)).toBe('other');
  expect(kindOf(ask('/v1/account'), direct)).toBe('other');
});

test('a page names its files and the list of its build', () => {
  const html =
    '<link href="/_astro/inter.aa.woff2"><p data-offline="/_astro/writers-files.bb.json"></p><style>a{src:url(/_astro/c.woff2)}</style>';
  expect(filesNamedIn(html)).toEqual(['/_astro/inter.aa.woff2', '/_astro/writers-files.bb.json']);
  expect(listNamedIn(html)).toBe('/_astro/writers-files.bb.json');
  expect(listNamedIn('<title>Sign in to this hotel’s network</title>')).toBeUndefined();
  expect([isPage('/edit-post/x', '/edit-post/'), isPage('/add-post', '/add-post')]).toEqual([true, true]);
});
