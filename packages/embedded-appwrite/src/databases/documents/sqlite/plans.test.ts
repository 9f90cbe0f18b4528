/** SQLite reads a page of a list from an index alone, without a sort or a table scan. */
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import type { Collection } from '../../catalogue/model.ts';
import { compileQueries } from '../../query/compile.ts';
import { parseQueries } from '../../query/parse.ts';
import type { SqlValue } from '../../query/schema.ts';
import { createIndex, createTables, documentsTable } from './layout.ts';
import { schemaOf } from './table.ts';

const moment = { created: '', updated: '' };
const attribute = { ...moment, size: 20, required: false, array: false, default: null };
const index = { ...moment, type: 'key' as const, lengths: [] };
const collection: Collection = {
  ...moment,
  sequence: 1,
  database: { ...moment, sequence: 1, id: 'd', name: 'D', enabled: true, type: 'legacy' },
  id: 'c',
  name: 'C',
  enabled: true,
  documentSecurity: false,
  permissions: [],
  attributes: [
    { ...attribute, sequence: 1, column: 'a1', key: 'status', kind: 'string' },
    { ...attribute, sequence: 2, column: 'a2', key: 'n', kind: 'integer' },
    { ...attribute, sequence: 3, column: 'a3', key: 'kind', kind: 'string' },
  ],
  indexes: [
    { ...index, sequence: 1, key: 'newest', attributes: ['status', '$createdAt'], orders: ['ASC', 'DESC'] },
    { ...index, sequence: 2, key: 'n', attributes: ['n'], orders: ['ASC'] },
    { ...index, sequence: 3, key: 'all', attributes: ['status', 'kind', '$createdAt'], orders: ['ASC', 'ASC', 'DESC'] },
  ],
};

const database = new DatabaseSync(':memory:');
const schema = schemaOf(collection);

beforeAll(() => {
  database.exec(createTables(1));
  database.exec('ALTER TABLE documents_1 ADD COLUMN a1 TEXT; ALTER TABLE documents_1 ADD COLUMN a2 INTEGER');
  database.exec('ALTER TABLE documents_1 ADD COLUMN a3 TEXT');
  for (const each of collection.indexes) database.exec(createIndex(collection, each));
});

function plan(queries: object[], cursor?: SqlValue[]): string {
  const raw = queries.map((query) => JSON.stringify(query));
  const list = compileQueries(parseQueries(raw, schema, { errorType: 'general_query_invalid' }), schema);
  const behind = cursor ? list.behind(cursor) : { sql: '1', values: [] };
  const sql = `EXPLAIN QUERY PLAN SELECT d.sequence FROM ${documentsTable(1)} d
    WHERE ${list.where.sql} AND ${behind.sql} ORDER BY ${list.orderBy} LIMIT 25`;
  return database
    .prepare(sql)
    .all(...list.where.values, ...behind.values)
    .map(({ detail }) => detail)
    .join('; ');
}

const active = { method: 'equal', attribute: 'status', values: ['active'] };
const unkind = { method: 'isNull', attribute: 'kind' };
const newest = { method: 'orderDesc', attribute: '$createdAt' };

it.each<[string, object[], SqlValue[] | undefined, string]>([
  ['by status, newest first', [active, newest], undefined, 'index_1 (a1=?)'],
  ['a deep page of it', [active, newest], ['2026', 5], 'index_1 (a1=? AND created<?)'],
  ['by status and without a kind, newest first', [active, unkind, newest], undefined, 'index_3 (a1=? AND a3=?)'],
  ['a deep page of it', [active, unkind, newest], ['2026', 5], 'index_3 (a1=? AND a3=? AND created<?)'],
  ['newest first', [newest], undefined, 'documents_1_created'],
  ['a deep page of it', [newest], ['2026', 5], 'documents_1_created (created<?)'],
  ['by a number', [{ method: 'orderAsc', attribute: 'n' }], undefined, 'index_2'],
  ['a deep page of it', [{ method: 'orderAsc', attribute: 'n' }], [3, 5], 'index_2 (a2>?)'],
  ['in order of creation', [], [5], 'INTEGER PRIMARY KEY (rowid>?)'],
])('%s: %j', (_, queries, cursor, expected) => {
  const detail = plan(queries, cursor);
  expect(detail).toContain(expected);
  expect(detail).not.toContain('TEMP B-TREE');
});
