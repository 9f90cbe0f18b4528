import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../../sqlite/store.ts';
import { type ListSource, listRows } from './list.ts';
import { parseQueries } from './parse.ts';
import { internalFields, type QuerySchema } from './schema.ts';

const schema: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created', updatedAt: 'updated' }),
    ['title', { type: 'string', column: 'a1', fulltext: 'words' }],
    ['n', { type: 'integer', column: 'a2' }],
    ['ok', { type: 'boolean', column: 'a3' }],
    ['tags', { type: 'string', column: 'a4', array: true }],
    ['at', { type: 'datetime', column: 'a5' }],
    ['x', { type: 'float', column: 'a6' }],
  ]),
};
const source: ListSource = { from: 'things', columns: 'id', schema, noun: 'Document' };
const options = { errorType: 'general_query_invalid', select: true } as const;

const titles = [
  ...['Apple pie', 'apple tart', '100% Banana', 'Ärger mit Öl', 'snake_case', 'Apple "core" (raw)', 'zebra', 'Pie'],
];
let store: Store;

beforeAll(() => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE things (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, created TEXT, updated TEXT, a1 TEXT, a2 INTEGER, a3 INTEGER, a4 TEXT, a5 TEXT, a6 REAL);
    CREATE VIRTUAL TABLE words USING fts5(a1, content='things', content_rowid='sequence')`);
  const insert = database.prepare('INSERT INTO things VALUES (?,?,?,?,?,?,?,?,?,?)');
  titles.forEach((title, i) => {
    const date = `2026-01-0${Math.floor(i / 2) + 1}T00:00:00.000+00:00`;
    const n = i === 7 ? null : i % 3;
    insert.run(i + 1, `d${i + 1}`, date, date, title, n, i % 2, JSON.stringify([`t${i}`, 'all']), date, i / 2);
  });
  database.exec("INSERT INTO words(words) VALUES ('rebuild')");
  store = { database, prepare: (sql: string) => database.prepare(sql) } as Store;
});

type Query = { method: string; attribute?: string; values?: unknown[] };
const q = (method: string, attribute?: string | unknown[], values?: unknown[]): Query =>
  Array.isArray(attribute) ? { method, values: attribute } : { method, attribute, values };

function list(...queries: (Query | string)[]) {
  const raw = queries.map((query) => (typeof query === 'string' ? query : JSON.stringify(query)));
  return listRows(store, source, parseQueries(raw, schema, options)).rows;
}
const idOf = ({ id }: { id?: unknown }) => String(id).slice(1);
const numbers = (...queries: Query[]) =>
  list(...queries)
    .map(idOf)
    .join(' ');

function fault(...queries: (Query | string)[]): string {
  try {
    list(...queries);
  } catch (error) {
    return `${(error as { type: string }).type}: ${(error as Error).message}`;
  }
  return 'no error';
}

it.each<[string, Query, string]>([
  ['equal is any of its values, case-sensitive', q('equal', 'title', ['Pie', 'zebra', 'apple pie']), '7 8'],
  ['not between', q('notBetween', 'x', [0.5, 3]), '1 8'],
  ['starts with, in any case', q('startsWith', 'title', ['APPLE']), '1 2 6'],
  ['percent matches nothing else', q('contains', 'title', ['%']), '3'],
  ['contains folds beyond ASCII', q('contains', 'title', ['ärGER']), '4'],
  ['not contains', q('notContains', 'title', ['a', 'e']), ''],
  ['an array holds any', q('contains', 'tags', ['t1', 't2']), '2 3'],
  ['an array holds all', q('containsAll', 'tags', ['all', 't2']), '3'],
  ['an array holds none', q('notContains', 'tags', ['t0', 't1', 't2', 't3', 't4']), '6 7 8'],
  ['dates in any zone', q('lessThan', 'at', ['2026-01-02T01:00:00+01:00']), '1 2'],
  ['sequences as text', q('greaterThan', '$sequence', ['6']), '7 8'],
])('filters %s', (_, query, expected) => expect(numbers(query)).toBe(expected));

it('search finds words by their beginning and phrases in quotes', () => {
  expect(numbers(q('search', 'title', ['app']))).toBe('1 2 6');
  expect(numbers(q('search', 'title', ['"apple core"']))).toBe('6');
  expect(numbers(q('search', 'title', ['"core apple"']))).toBe('');
  expect(numbers(q('search', 'title', ['zeb bana']))).toBe('3 7');
  expect(numbers(q('notSearch', 'title', ['a']))).toBe('3 5 7 8');
});

it.each(['*', '"', '""', '+-*"()', '@:~<>', 'AND OR NOT', 'a:b', '{a}', 'NEAR(a b)', '\\', "'", '\u0000', 'x\u0301'])(
  'search never fails on %j',
  (text) => expect(fault(q('search', 'title', [text]))).toBe('no error'),
);

it.each<[string, Query[], string]>([
  ['newest first breaks ties by the newest', [q('orderDesc', '$createdAt')], '8 7 6 5 4 3 2 1'],
  ['other orders break ties by the oldest', [q('orderDesc', 'n')], '3 6 2 5 1 4 7 8'],
  ['the first limit and offset count', [q('limit', [2]), q('offset', [3]), q('limit', [7]), q('offset', [0])], '4 5'],
])('orders: %s', (_, queries, expected) => expect(numbers(...queries)).toBe(expected));

it.each<[Query | string, string]>([
  ['5', 'Invalid query. Must be an array, got integer'],
  [q('select', ['n', 'n']), 'Invalid query: Duplicate attributes selected'],
  [q('equal', 'n', [1.5]), 'Invalid query: Query value is invalid for attribute "n"'],
  [q('equal', 'title', [5]), 'Invalid query: Query value is invalid for attribute "title"'],
  [q('equal', 'title', [null]), 'Invalid query: Query value is invalid for attribute "title"'],
  [q('equal', 'at', ['soon']), 'Invalid query: Query value is invalid for attribute "at"'],
  [q('equal', 'tags', ['a']), 'Invalid query: Cannot query equal on attribute "tags" because it is an array.'],
  [q('and', [q('limit', [1]), q('isNull', 'n')]), 'Invalid query: And queries can only contain filter queries'],
  [q('constructor', 'title', ['x']), 'Invalid query method: constructor'],
])('refuses %j', (query, message) => expect(fault(query)).toBe(`general_query_invalid: ${message}`));

it('refuses a cursor on a null order value', () =>
  expect(fault(q('orderAsc', 'n'), q('cursorAfter', ['d8']))).toMatch(/^database_query_order_null: /));
