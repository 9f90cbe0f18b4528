import { Query } from 'appwrite';
import { expect, it } from 'vitest';
import { payloadFilter } from './payload-filter.ts';

const PAYLOAD = { title: 'Hello', n: 5, st: 'a', none: null, tags: ['x'] };

it.each<[queries: string[], expected: boolean]>([
  [[], true],
  [[Query.equal('st', ['a', 'b'])], true],
  [[Query.equal('st', ['b'])], false],
  [[Query.equal('n', [5])], true],
  [[Query.equal('n', ['5'])], false],
  [[Query.notEqual('st', 'b')], true],
  [[Query.notEqual('st', 'a')], false],
  [[Query.lessThan('n', 5)], false],
  [[Query.lessThanEqual('n', 5)], true],
  [[Query.greaterThan('n', 4)], true],
  [[Query.greaterThanEqual('n', 6)], false],
  [[Query.greaterThan('title', 'Aloha')], true],
  [[Query.greaterThan('title', 1)], false],
  [[Query.lessThan('none', 1)], false],
  [[Query.isNull('none')], true],
  [[Query.isNotNull('st')], true],
  [[Query.isNull('absent')], false],
  [[Query.notEqual('absent', 'x')], false],
  [[Query.or([Query.equal('st', ['z']), Query.equal('n', [5])])], true],
  [[Query.and([Query.equal('st', ['a']), Query.equal('n', [6])])], false],
  [[Query.select(['*'])], true],
  [['{"method":"equal","attribute":"toString","values":["x"]}'], false],
  [[Query.equal('st', ['a']), Query.equal('n', [6])], false],
])('matches %j: %s', (queries, expected) => expect(payloadFilter(queries).matches(PAYLOAD)).toBe(expected));

let nested = Query.isNull('a');
for (let level = 0; level < 25; level++) nested = Query.and([nested, Query.isNull('a')]);

it.each([
  [Query.search('title', 'x'), "Query method 'search' is not supported in Realtime queries. Allowed: equal, notEqual"],
  [Query.limit(5), "Query method 'limit' is not supported"],
  [Query.select(['title']), 'Only select(["*"])'],
  ['not json', 'Invalid query: Syntax error'],
  ['5', 'Must be an array'],
  ['{"method":"equal","attribute":"a"}', 'Equal queries require at least one value.'],
  ['{"method":"lessThan","attribute":"a","values":[1,2]}', 'exactly one value'],
  ['{"method":"or","values":[{"method":"isNull","attribute":"a"}]}', 'Or queries require at least two queries'],
  [Query.or([Query.limit(1), Query.limit(2)]), "Query method 'limit' is not supported"],
  [nested, 'nested at most 20 deep'],
])('refuses %.80s', (query, message) => {
  expect(() => payloadFilter([query])).toThrow(expect.objectContaining({ code: 1003 }));
  expect(() => payloadFilter([query])).toThrow(message);
});
