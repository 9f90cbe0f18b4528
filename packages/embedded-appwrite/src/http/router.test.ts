import { expect, test } from 'vitest';
import { ok, route } from './route.ts';
import { createRouter } from './router.ts';

const at = (method: 'GET' | 'POST', path: string, aliases: string[] = []) =>
  route({ method, path, aliases, scope: 'public', params: {}, handle: () => ok({}) });

const SESSION = '/account/sessions/:sessionId';
const ATTRIBUTE = '/databases/:databaseId/collections/:collectionId/attributes/:key';
const router = createRouter([
  at('GET', '/account'),
  at('GET', SESSION),
  at('POST', '/account/sessions/email', ['/account/sessions']),
  at('GET', ATTRIBUTE),
  at('POST', '/databases/:databaseId/collections/:collectionId/attributes/string'),
]);
const found = (method: string, path: string) => {
  const match = router.find(method, path);
  return match && { path: match.compiled.route.path, values: match.values };
};

test.each([
  ['a literal path', '/account', '/account', []],
  ['a slash at the end', '/account/', '/account', []],
  ['encoded parameters', '/databases/d/collections/c%2F1/attributes/k', ATTRIBUTE, ['d', 'c/1', 'k']],
  ['a parameter where a literal has no such method', '/account/sessions/email', SESSION, ['email']],
  ['such a parameter further down', '/databases/d/collections/c/attributes/string', ATTRIBUTE, ['d', 'c', 'string']],
])('finds %s', (_what, path, pattern, values) => expect(found('GET', path)).toEqual({ path: pattern, values }));

test.each([
  ['PATCH', '/account'],
  ['GET', '/accounts'],
  ['GET', '/'],
  ['GET', '/account/sessions/'],
  ['GET', '/databases/d/collections//attributes/k'],
])('finds no route for %s %s', (method, path) => expect(found(method, path)).toBeUndefined());

test('gives an alias the counter of its route', () => {
  const [alias, proper] = ['/account/sessions', '/account/sessions/email'].map((path) => router.find('POST', path));
  expect(alias?.compiled.limits.counter).toBe(proper?.compiled.limits.counter);
});

test('refuses a broken percent-encoding and two routes of one pattern', () => {
  expect(() => router.find('GET', '/account/sessions/%zz')).toThrow('percent-encoded');
  expect(() => createRouter([at('GET', '/a/:x'), at('GET', '/a/:y')])).toThrow('Two routes');
});
