import { expect, test } from 'vitest';
import { optional, required, text } from './params.ts';
import { route } from './route.ts';
import { createRouter } from './router.ts';

const at = (method: 'GET' | 'POST', path: string, aliases: string[] = []) =>
  route({ method, path, aliases, scope: 'public', params: {}, handle: () => ({ status: 200 }) });

const router = createRouter([
  at('GET', '/account'),
  at('GET', '/account/sessions/:sessionId'),
  at('POST', '/account/sessions/email', ['/account/sessions']),
  at('GET', '/databases/:databaseId/collections/:collectionId/attributes/:key'),
  at('POST', '/databases/:databaseId/collections/:collectionId/attributes/string'),
]);
const found = (method: string, path: string) => {
  const match = router.find(method, path);
  return match && { path: match.compiled.route.path, values: match.values };
};

test('a literal path is found, with or without a slash at the end', () => {
  expect(found('GET', '/account')?.path).toBe('/account');
  expect(found('GET', '/account/')?.path).toBe('/account');
});

test('parameters are given in order, percent-decoded', () => {
  expect(found('GET', '/databases/d/collections/c%2F1/attributes/k')?.values).toEqual(['d', 'c/1', 'k']);
});

test('a literal that has no such method gives way to a parameter', () => {
  expect(found('GET', '/account/sessions/email')).toEqual({ path: '/account/sessions/:sessionId', values: ['email'] });
  expect(found('GET', '/databases/d/collections/c/attributes/string')?.values).toEqual(['d', 'c', 'string']);
});

test('an alias is the same route and shares its counter', () => {
  const [alias, proper] = ['/account/sessions', '/account/sessions/email'].map((path) => router.find('POST', path));
  expect(alias?.compiled.limits.counter).toBe(proper?.compiled.limits.counter);
});

test.each([
  ['PATCH', '/account'],
  ['GET', '/accounts'],
  ['GET', '/'],
  ['GET', '/account/sessions/'],
  ['GET', '/databases/d/collections//attributes/k'],
])('%s %s is nobody’s', (method, path) => {
  expect(found(method, path)).toBeUndefined();
});

test('a broken percent-encoding is 400', () => {
  expect(() => router.find('GET', '/account/sessions/%zz')).toThrow('percent-encoded');
});

test('two routes of one pattern are a mistake of ours', () => {
  expect(() => createRouter([at('GET', '/a/:x'), at('GET', '/a/:y')])).toThrow('Two routes');
});

test('a parameter knows whether it is the path’s', () => {
  const one = createRouter([
    route({
      method: 'POST',
      path: '/a/:id',
      scope: 'public',
      params: { name: optional(text(8), ''), id: required(text(8)) },
      handle: () => ({ status: 200 }),
    }),
  ]);
  expect(one.find('POST', '/a/x')?.compiled.params.map(({ name, position }) => [name, position])).toEqual([
    ['name', -1],
    ['id', 0],
  ]);
});
