import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { Store } from '../../sqlite/store.ts';
import type { Row } from '../../sqlite/table.ts';
import { boundsOf, withinBounds } from './bounds.ts';
import { type CompiledList, compileQueries } from './compile.ts';
import { provideFunctions, runBounded, WITHIN_BOUNDS } from './functions.ts';
import type { ListQuery } from './parse.ts';
import type { Fragment, QuerySchema, SqlValue } from './schema.ts';
import type { Searches } from './search-in-slices.ts';

/** Maximum total: rows beyond it are not counted (contract 2.3). */
const TOTAL_LIMIT = 5000;

export interface ListSource {
  readonly from: string;
  readonly columns: string;
  readonly schema: QuerySchema;
  /** Restricts the list, e.g. `bucket = ?`; the cursor's row must match it too. */
  readonly scope?: Fragment;
  /**
   * Replaces `scope` in lists with limits, if `scope` contains a correlated subquery. SQLite would evaluate that after
   * the limits, and their 408 would tell what a row outside the scope contains.
   */
  readonly rowScope?: Fragment;
  /** Required if callers without a server key may read the list, so that their limits apply (`bounds.ts`). */
  readonly caller?: Caller;
  /** The noun in `User 'x' for the 'cursor' value not found.` */
  readonly noun: string;
}

const ALL: Fragment = { sql: '1', values: [] };

export function both(...fragments: readonly Fragment[]): Fragment {
  const effective = fragments.filter(({ sql }) => sql !== '1');
  if (effective.length === 0) return ALL;
  return {
    sql: effective.map(({ sql }) => `(${sql})`).join(' AND '),
    values: effective.flatMap(({ values }) => values),
  };
}

/** Returns the condition for rows after the cursor. Throws 400 if the cursor's row or its sort value is missing. */
function cursorCondition(store: Store, source: ListSource, query: ListQuery, list: CompiledList): Fragment {
  if (!query.cursor) return ALL;
  const { id } = query.cursor;
  const idColumn = source.schema.fields.get('$id')?.column ?? 'id';
  const place = both({ sql: `${idColumn} = ?`, values: [id] }, source.scope ?? ALL);
  const columns = list.cursorColumns.map((column, i) => `${column} AS c${i}`).join(', ');
  const row = store.prepare(`SELECT ${columns} FROM ${source.from} WHERE ${place.sql}`).get(...place.values);
  if (!row) {
    throw new AppwriteError('general_cursor_not_found', `${source.noun} '${id}' for the 'cursor' value not found.`);
  }
  const values = list.cursorColumns.map((_, i) => row[`c${i}`] as SqlValue);
  const missing = values.indexOf(null);
  if (missing >= 0) {
    const attribute = query.orders[missing]?.attribute ?? '$sequence';
    throw new AppwriteError(
      'database_query_order_null',
      `The order attribute '${attribute}' is null on the cursor's ${source.noun.toLowerCase()} '${id}'. ` +
        'Cursor pagination needs a value on every row: order by another attribute.',
    );
  }
  return list.behind(values);
}

export function tooLong(what: string): AppwriteError {
  const advice = 'Ask for fewer with limit, or for fewer attributes with select.';
  return new AppwriteError('general_query_limit_exceeded', `The list would have ${what}. ${advice}`);
}

export function countRows(store: Store, from: string, where: Fragment): number {
  const sql = `SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${where.sql} LIMIT ${TOTAL_LIMIT})`;
  return Number(store.prepare(sql).get(...where.values)?.total ?? 0);
}

export interface PreparedList {
  /** True if reading may take a long time, in which case the caller's limits apply. */
  readonly isBounded: boolean;
  /**
   * Reads at most `limit` rows, and calls `count` with the WHERE condition for all pages. Throws 408 if reading
   * exceeds the caller's limits.
   */
  read<C>(count: (where: Fragment) => C, limit?: number): { rows: Row[]; total: C };
}

/** Prepares a list without reading it. Throws 400 in the same cases as `cursorCondition`. */
export function prepareList(store: Store, source: ListSource, query: ListQuery, searches?: Searches): PreparedList {
  provideFunctions(store.database);
  const list = compileQueries(query, source.schema, searches);
  const bounds = source.caller && boundsOf(source.caller, query);
  const scope = (bounds && source.rowScope) ?? source.scope ?? ALL;
  const where = both(scope, bounds ? withinBounds(WITHIN_BOUNDS, query) : ALL, list.where);
  const page = both(where, cursorCondition(store, source, query, list));
  const sql = `SELECT ${source.columns} FROM ${source.from} WHERE ${page.sql} ORDER BY ${list.orderBy} LIMIT ? OFFSET ?`;
  return {
    isBounded: bounds !== undefined,
    read: (count, limit = query.limit) =>
      runBounded(store.database, bounds, () => {
        const rows = store.prepare(sql).all(...page.values, limit, query.offset);
        return { rows: list.reversed ? rows.reverse() : rows, total: count(where) };
      }),
  };
}

/** Reads a list's rows and their total. If `total` is false, counts nothing and returns 0. */
export function listRows(
  store: Store,
  source: ListSource,
  query: ListQuery,
  total = true,
): { rows: Row[]; total: number } {
  return prepareList(store, source, query).read((where) => (total ? countRows(store, source.from, where) : 0));
}
