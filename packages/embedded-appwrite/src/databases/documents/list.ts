import { hash } from 'node:crypto';
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { authorise } from '../../permissions.ts';
import type { Store } from '../../sqlite/store.ts';
import { countRows, type ListSource, prepareList, tooLong } from '../query/list.ts';
import type { ListQuery } from '../query/parse.ts';
import type { Fragment } from '../query/schema.ts';
import type { Searches } from '../query/search-in-slices.ts';
import { readersTable } from './sqlite/layout.ts';
import type { RenderedDocument } from './sqlite/plan.ts';
import type { DocumentTable } from './sqlite/table.ts';

/** Maximum documents per list, for callers without a server key. */
const MOST_DOCUMENTS = 10_000;
const TOTALS_KEPT = 500;
/** If the caller may read fewer documents than this, a list searches only those; otherwise it checks access per row. */
const FEW_READABLE = 500;
/** With more roles than this, a list always searches only readable documents: checking a row takes a query per role. */
const MANY_ROLES = 16;

const EVERYTHING: Fragment = { sql: '1', values: [] };
const NO_ROWS: Fragment = { sql: '0', values: [] };

/**
 * Returns the conditions for documents that the caller may read. Throws 401 if the collection denies reading and
 * document security is off (contract 2.3).
 */
function readable(store: Store, { collection }: DocumentTable, caller: Caller): Pick<ListSource, 'scope' | 'rowScope'> {
  if (authorise(caller, 'read', collection.permissions)) return { scope: EVERYTHING };
  if (!collection.documentSecurity) throw new AppwriteError('user_unauthorized');
  const readers = readersTable(collection.sequence);
  const { roles } = caller;
  // A user in many teams has hundreds of roles, so this drops the roles that no document in the collection mentions.
  const named = roles.length > MANY_ROLES ? `AND EXISTS (SELECT 1 FROM ${readers} r WHERE r.role = number)` : '';
  const known = store
    .prepare(`SELECT number, role FROM roles WHERE role IN (SELECT value FROM json_each(?)) ${named}`)
    .all(JSON.stringify(roles));
  const numbers = known.map(({ number }) => Number(number));
  if (numbers.length === 0) return { scope: NO_ROWS };
  const given = JSON.stringify(numbers);
  const rows = `FROM ${readers} WHERE role IN (SELECT value FROM json_each(?))`;
  const readsFew = () => {
    const few = store.prepare(`SELECT count(*) AS total FROM (SELECT 1 ${rows} LIMIT ${FEW_READABLE})`).get(given);
    return Number(few?.total) < FEW_READABLE;
  };
  if (numbers.length > MANY_ROLES || readsFew()) {
    return { scope: { sql: `d.sequence IN (SELECT sequence ${rows})`, values: [given] } };
  }
  const marks = numbers.map(() => '?').join(', ');
  const sql = `EXISTS (SELECT 1 FROM ${readers} r WHERE r.role IN (${marks}) AND r.sequence = d.sequence)`;
  const rowScope = {
    sql: known.map(() => 'instr(d.permissions, ?) > 0').join(' OR '),
    values: known.map(({ role }) => JSON.stringify(`read("${role}")`)),
  };
  return { scope: { sql, values: numbers }, rowScope };
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
  /** Returns undefined for a row that was deleted in the meantime. */
  show(row: number): RenderedDocument | undefined;
  /** Returns the stored size of `rows.slice(from, to)` in bytes, which is roughly the length of the documents' JSON. */
  bytes(from: number, to: number): number;
}

export interface PlannedPage {
  /** True if reading may take a long time, in which case the caller's limits apply. */
  readonly isBounded: boolean;
  /**
   * Reads the page. Throws 408 `database_timeout` if reading exceeds the caller's limits, 400 for too many documents.
   */
  read(): DocumentPage;
}

/** Maximum length of a key in `totals`, in characters. A longer key, from a long query, is replaced by its digest. */
const LONGEST_KEY = 250;

function keyOf(...parts: readonly unknown[]): string {
  const key = JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return key.length > LONGEST_KEY ? hash('sha256', key, 'base64') : key;
}

/**
 * Plans a page. `read` finds the page's rows, and `show` then returns the document of a row. Throws 401 like
 * `readable`, 400 for an invalid query.
 */
export function planPage(
  store: Store,
  table: DocumentTable,
  caller: Caller,
  query: ListQuery,
  counted: boolean,
  searches?: Searches,
): PlannedPage {
  const source = { ...sourceOf(table, 'd.sequence'), ...readable(store, table, caller), caller };
  const list = prepareList(store, source, query, searches);
  const limit = caller.privileged ? query.limit : Math.min(query.limit, MOST_DOCUMENTS + 1);
  const plan = table.planFor(query.select);
  return {
    isBounded: list.isBounded,
    read() {
      const { rows, total } = list.read((where) => (counted ? totalOf(store, table, where) : 0), limit);
      if (!caller.privileged && rows.length > MOST_DOCUMENTS) throw tooLong(`more than ${MOST_DOCUMENTS} documents`);
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

const sourceOf = ({ name, schema }: DocumentTable, columns: string): ListSource => ({
  from: `${name} d`,
  columns,
  schema,
  noun: 'Document',
});

export function matchingIds(store: Store, table: DocumentTable, query: ListQuery): string[] {
  const { rows } = prepareList(store, sourceOf(table, 'd.id'), query).read(() => 0);
  return rows.map(({ id }) => String(id));
}
