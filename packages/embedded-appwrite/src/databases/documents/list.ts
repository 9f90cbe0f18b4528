import { hash } from 'node:crypto';
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { authorise } from '../../permissions.ts';
import type { Store } from '../../sqlite/store.ts';
import { boundsOf, withinBounds } from '../query/bounds.ts';
import { compileQueries } from '../query/compile.ts';
import { runBounded, WITHIN_BOUNDS } from '../query/functions.ts';
import { both, countRows, cursorCondition, type ListSource, tooLong } from '../query/list.ts';
import type { ListQuery } from '../query/parse.ts';
import type { Fragment } from '../query/schema.ts';
import type { Searches } from '../query/search-in-slices.ts';
import { readersTable } from './sqlite/layout.ts';
import type { RenderedDocument } from './sqlite/plan.ts';
import type { Roles } from './sqlite/roles.ts';
import type { DocumentTable } from './sqlite/table.ts';

/** Documents per list, for callers without a server key. */
const MOST_DOCUMENTS = 10_000;
/** Cached totals per collection between two writes. */
const TOTALS_KEPT = 500;
/** For a caller who may read fewer documents than this, the query starts from those and not from the collection. */
const FEW_READABLE = 500;

/** With more roles, readable documents are collected before the list is walked. */
const MANY_ROLES = 16;

const EVERYTHING: Fragment = { sql: '1', values: [] };
const NO_ROWS: Fragment = { sql: '0', values: [] };

/**
 * Returns the condition for documents that the caller may read. Throws 401 when only the collection decides and denies
 * access (contract 2.3, outcomes without right).
 */
function readable(store: Store, roles: Roles, table: DocumentTable, caller: Caller): Fragment {
  const { collection } = table;
  if (authorise(caller, 'read', collection.permissions)) return EVERYTHING;
  if (!collection.documentSecurity) throw new AppwriteError('user_unauthorized');
  const numbers = namedIn(store, table, roles.numbersOf(caller.roles));
  if (numbers.length === 0) return NO_ROWS;
  const readers = readersTable(collection.sequence);
  if (numbers.length > MANY_ROLES) {
    const given = 'SELECT value FROM json_each(?)';
    const sql = `d.sequence IN (SELECT sequence FROM ${readers} WHERE role IN (${given}))`;
    return { sql, values: [JSON.stringify(numbers)] };
  }
  const marks = numbers.map(() => '?').join(', ');
  const sql = readsFew(store, table, numbers)
    ? `d.sequence IN (SELECT sequence FROM ${readers} WHERE role IN (${marks}))`
    : `EXISTS (SELECT 1 FROM ${readers} r WHERE r.role IN (${marks}) AND r.sequence = d.sequence)`;
  return { sql, values: numbers };
}

/**
 * Returns the caller's roles that any document of the table names: a user in many teams has hundreds, and each costs a
 * look-up per row.
 */
function namedIn(store: Store, table: DocumentTable, numbers: readonly number[]): readonly number[] {
  if (numbers.length <= MANY_ROLES) return numbers;
  const key = keyOf(numbers);
  let named = table.namedRoles.get(key);
  if (named === undefined) {
    const readers = readersTable(table.collection.sequence);
    const sql = `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${readers} r WHERE r.role = value)`;
    named = store
      .prepare(sql)
      .all(JSON.stringify(numbers))
      .map((row) => Number(row.value));
    if (table.namedRoles.size >= TOTALS_KEPT) table.namedRoles.clear();
    table.namedRoles.set(key, named);
  }
  return named;
}

function readsFew(store: Store, table: DocumentTable, numbers: readonly number[]): boolean {
  const key = numbers.join();
  let few = table.fewReadable.get(key);
  if (few === undefined) {
    const marks = numbers.map(() => '?').join(', ');
    const readers = readersTable(table.collection.sequence);
    const sql = `SELECT count(*) AS total FROM (SELECT 1 FROM ${readers} WHERE role IN (${marks}) LIMIT ${FEW_READABLE})`;
    few = Number(store.prepare(sql).get(...numbers)?.total) < FEW_READABLE;
    if (table.fewReadable.size >= TOTALS_KEPT) table.fewReadable.clear();
    table.fewReadable.set(key, few);
  }
  return few;
}

function totalOf(store: Store, table: DocumentTable, where: Fragment): number {
  const key = keyOf(where.sql, where.values);
  let total = table.totals.get(key);
  if (total === undefined) {
    total = countRows(store, `${table.name} d`, where);
    if (table.totals.size >= TOTALS_KEPT) table.totals.clear();
    table.totals.set(key, total);
  }
  return total;
}

export interface DocumentPage {
  readonly total: number;
  readonly rows: readonly number[];
  /** The table's version when the rows were read. */
  readonly version: number;
  /** Returns undefined for a row that was deleted meanwhile. */
  show(row: number): RenderedDocument | undefined;
  /** Returns the documents' size in the database, roughly that of their JSON. */
  bytes(from: number, to: number): number;
}

export interface PlannedPage {
  /** True if the caller's limits apply because reading may take long. */
  readonly isBounded: boolean;
  /** Throws 408 `database_timeout` beyond the caller's limits, 400 for too many documents. */
  read(): DocumentPage;
}

/** Clients choose these keys, so longer ones are replaced by their digest. */
const LONGEST_KEY = 250;

function keyOf(...parts: readonly unknown[]): string {
  const key = JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return key.length > LONGEST_KEY ? hash('sha256', key, 'base64') : key;
}

/**
 * Prepares a page without reading it. SQLite returns only row numbers, which an index alone can answer; documents are
 * read one by one. Throws 401 like `readable`, 400 for an invalid query or cursor.
 */
export function planPage(
  { store, roles }: { store: Store; roles: Roles },
  table: DocumentTable,
  caller: Caller,
  query: ListQuery,
  counted: boolean,
  searches?: Searches,
): PlannedPage {
  const scope = readable(store, roles, table, caller);
  const list = compileQueries(query, table.schema, searches);
  const bounds = boundsOf(caller, query);
  const from = `${table.name} d`;
  const source: ListSource = { from, columns: 'd.sequence', schema: table.schema, scope, noun: 'Document' };
  const where = both(bounds ? withinBounds(WITHIN_BOUNDS, query) : EVERYTHING, scope, list.where);
  const page = both(where, cursorCondition(store, source, query, list));
  const sql = `SELECT d.sequence FROM ${from} WHERE ${page.sql} ORDER BY ${list.orderBy} LIMIT ? OFFSET ?`;
  const limit = caller.privileged ? query.limit : Math.min(query.limit, MOST_DOCUMENTS + 1);
  const values = [...page.values, limit, query.offset];
  const plan = table.planFor(query.select);
  return {
    isBounded: bounds !== undefined,
    read() {
      const { rows, total } = runBounded(store.database, bounds, () => ({
        rows: store.prepare(sql).all(...values),
        total: counted ? totalOf(store, table, where) : 0,
      }));
      if (!caller.privileged && rows.length > MOST_DOCUMENTS) throw tooLong(`more than ${MOST_DOCUMENTS} documents`);
      if (list.reversed) rows.reverse();
      const sequences = rows.map((row) => Number(row.sequence));
      return {
        total,
        rows: sequences,
        version: table.version,
        show: (row) => table.showRow(row, plan),
        bytes: (from, to) => table.storedBytes(sequences.slice(from, to), plan),
      };
    },
  };
}

/** Returns the ids of the documents that a query matches, for bulk changes. */
export function matchingIds(store: Store, table: DocumentTable, query: ListQuery): string[] {
  const list = compileQueries(query, table.schema);
  const from = `${table.name} d`;
  const source: ListSource = { from, columns: 'd.id', schema: table.schema, noun: 'Document' };
  const page = both(list.where, cursorCondition(store, source, query, list));
  return store
    .prepare(`SELECT d.id FROM ${from} WHERE ${page.sql} ORDER BY ${list.orderBy} LIMIT ? OFFSET ?`)
    .all(...page.values, query.limit, query.offset)
    .map((row) => String(row.id));
}
