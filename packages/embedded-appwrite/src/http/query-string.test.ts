import { expect, test } from 'vitest';
import { parseQuery } from './query-string.ts';

const parse = (text: string) => JSON.parse(JSON.stringify(parseQuery(text)));

test.each([
  ['queries[0]=a&queries[1]=b'],
  ['queries%5B0%5D=a&queries%5B1%5D=b'],
  ['queries[]=a&queries[]=b'],
  ['queries[0]=a&queries[]=b'],
])('lists %s', (text) => expect(parse(text)).toEqual({ queries: ['a', 'b'] }));

test('lists lists of lists', () => expect(parse('a[0][0]=x&a[0][1]=y&a[1][0]=z')).toEqual({ a: [['x', 'y'], ['z']] }));

test('lists named keys give an object', () => expect(parse('a[k]=x')).toEqual({ a: { k: 'x' } }));

test('names of the object prototype are names like others', () => {
  const query = parseQuery('__proto__[polluted]=1&constructor=2');
  expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('pairs beyond the thousandth are ignored', () => {
  const text = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&');
  expect(Object.keys(parseQuery(text))).toHaveLength(1000);
});
