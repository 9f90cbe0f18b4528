import { expect, test } from 'vitest';
import { parseQuery } from './query-string.ts';

test.each([
  ['a%5B0%5D=x&a%5B1%5D=y', { a: ['x', 'y'] }],
  ['a[]=x&a[]=y', { a: ['x', 'y'] }],
  ['a[0]=x&a[]=y', { a: ['x', 'y'] }],
  ['a[0][0]=x&a[0][1]=y&a[1][0]=z', { a: [['x', 'y'], ['z']] }],
  ['a[k]=x', { a: { k: 'x' } }],
])('reads %s', (text, query) => expect(JSON.parse(JSON.stringify(parseQuery(text)))).toEqual(query));

test('names of the object prototype are names like others', () => {
  const query = parseQuery('__proto__[polluted]=1&constructor=2');
  expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('pairs beyond the thousandth are ignored', () => {
  const text = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&');
  expect(Object.keys(parseQuery(text))).toHaveLength(1000);
});
