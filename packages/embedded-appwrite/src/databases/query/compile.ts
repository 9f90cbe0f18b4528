import type { AttributeFilter, Filter, FilterMethod } from './filters.ts';
import { matchExpression } from './fulltext.ts';
import type { ListQuery, Order } from './parse.ts';
import type { Fragment, QuerySchema, SqlValue } from './schema.ts';
import type { Searches } from './search-in-slices.ts';

/** SQL function for case folding beyond ASCII, which `LIKE` does not do; see `functions.ts`. */
export const FOLD = 'fold_case';

const COMPARISONS = {
  notEqual: '<>',
  lessThan: '<',
  lessThanEqual: '<=',
  greaterThan: '>',
  greaterThanEqual: '>=',
} as const;

const PRINTABLE_ASCII = /^[ -~\t\r\n]*$/;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Collects values while the SQL is being built, so that placeholders and values stay in the same order. */
class Writer {
  readonly values: SqlValue[] = [];
  readonly searches: Searches | undefined;

  constructor(searches?: Searches) {
    this.searches = searches;
  }

  mark(value: SqlValue): string {
    this.values.push(value);
    return '?';
  }

  /**
   * Returns placeholders for the values. Repeats the last value until their number is a power of two, so that fewer
   * different statements are prepared.
   */
  marks(values: readonly SqlValue[]): string {
    const width = 2 ** Math.ceil(Math.log2(values.length));
    return Array.from({ length: width }, (_, i) => this.mark(values[i] ?? values.at(-1) ?? null)).join(',');
  }

  like(column: string, text: SqlValue, before: string, after: string): string {
    const needle = String(text);
    if (PRINTABLE_ASCII.test(needle)) {
      return `${column} LIKE ${this.mark(before + escapeLike(needle) + after)} ESCAPE '\\'`;
    }
    return `${FOLD}(${column}) LIKE ${this.mark(before + escapeLike(needle.toLowerCase()) + after)} ESCAPE '\\'`;
  }
}

function contains(filter: AttributeFilter, writer: Writer): string {
  const { column, array } = filter.field;
  if (!array) return `(${filter.values.map((value) => writer.like(column, value, '%', '%')).join(' OR ')})`;
  return `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN (${writer.marks(filter.values)}))`;
}

function containsAll(filter: AttributeFilter, writer: Writer): string {
  const { column } = filter.field;
  const each = filter.values.map(
    (value) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${writer.mark(value)})`,
  );
  return `(${each.join(' AND ')})`;
}

function search(filter: AttributeFilter, writer: Writer, sequence: string): string {
  const found = writer.searches?.get(filter);
  if (found !== undefined) return `${sequence} IN (SELECT value FROM json_each(${writer.mark(found)}))`;
  const table = filter.field.fulltext;
  const expression = matchExpression(String(filter.values[0]));
  if (!table || expression === undefined) return '0';
  return `${sequence} IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ${writer.mark(expression)})`;
}

function attributeSql(filter: AttributeFilter, writer: Writer, sequence: string, method = filter.method): string {
  const { column } = filter.field;
  const [first = null, second = null] = filter.values;
  switch (method) {
    case 'equal':
      return filter.values.length === 1
        ? `${column} = ${writer.mark(first)}`
        : `${column} IN (${writer.marks(filter.values)})`;
    case 'notEqual':
    case 'lessThan':
    case 'lessThanEqual':
    case 'greaterThan':
    case 'greaterThanEqual':
      return `${column} ${COMPARISONS[method]} ${writer.mark(first)}`;
    case 'between':
      return `${column} BETWEEN ${writer.mark(first)} AND ${writer.mark(second)}`;
    case 'isNull':
      return `${column} IS NULL`;
    case 'isNotNull':
      return `${column} IS NOT NULL`;
    case 'startsWith':
      return writer.like(column, first, '', '%');
    case 'endsWith':
      return writer.like(column, first, '%', '');
    case 'contains':
    case 'containsAny':
      return contains(filter, writer);
    case 'containsAll':
      return containsAll(filter, writer);
    case 'search':
      return search(filter, writer, sequence);
    case 'notBetween':
    case 'notStartsWith':
    case 'notEndsWith':
    case 'notContains':
    case 'notSearch': {
      const opposite = `${method.charAt(3).toLowerCase()}${method.slice(4)}` as FilterMethod;
      return `NOT ${attributeSql(filter, writer, sequence, opposite)}`;
    }
  }
}

function filterSql(filter: Filter, writer: Writer, sequence: string): string {
  if ('field' in filter) return attributeSql(filter, writer, sequence);
  const glue = filter.method === 'and' ? ' AND ' : ' OR ';
  return `(${filter.filters.map((member) => filterSql(member, writer, sequence)).join(glue)})`;
}

interface Term {
  readonly column: string;
  readonly descending: boolean;
}

/** Returns the complete sort order: the requested one, then the sequence, unless the order is already unique. */
function orderTerms(orders: readonly Order[], sequence: string): Term[] {
  const terms: Term[] = orders.map(({ field, descending }) => ({ column: field.column, descending }));
  if (orders.some(({ attribute }) => attribute === '$id' || attribute === '$sequence')) return terms;
  const leading = orders[0];
  const newestFirst =
    leading?.descending === true && (leading.attribute === '$createdAt' || leading.attribute === '$updatedAt');
  return [...terms, { column: sequence, descending: newestFirst }];
}

/** Returns the condition for rows after the cursor. If directions differ, adds a bound so SQLite can use an index. */
function behind(terms: readonly Term[], values: readonly SqlValue[], writer: Writer): string {
  const [first] = terms;
  if (!first) return '1';
  const operator = (term: Term) => (term.descending ? '<' : '>');
  if (terms.every((term) => term.descending === first.descending)) {
    const columns = terms.map((term) => term.column).join(', ');
    return `(${columns}) ${operator(first)} (${values.map((value) => writer.mark(value)).join(', ')})`;
  }
  const bound = `${first.column} ${operator(first)}= ${writer.mark(values[0] ?? null)}`;
  const steps = terms.map((term, depth) => {
    const ties = terms.slice(0, depth).map((tied, i) => `${tied.column} = ${writer.mark(values[i] ?? null)}`);
    return [...ties, `${term.column} ${operator(term)} ${writer.mark(values[depth] ?? null)}`].join(' AND ');
  });
  return `${bound} AND (${steps.join(' OR ')})`;
}

export interface CompiledList {
  /** All filters except the cursor's condition, because `total` counts all pages. `1` if there are no filters. */
  readonly where: Fragment;
  readonly cursorColumns: readonly string[];
  /** `ORDER BY` terms. With `cursorBefore`, they are reversed, so the rows read must be reversed back. */
  readonly orderBy: string;
  readonly reversed: boolean;
  behind(values: readonly SqlValue[]): Fragment;
}

/** Compiles queries to SQL. Every value is bound, so no part of the request ends up in the SQL itself. */
export function compileQueries(query: ListQuery, schema: QuerySchema, searches?: Searches): CompiledList {
  const writer = new Writer(searches);
  const conditions = query.filters.map((filter) => filterSql(filter, writer, schema.sequence));
  const reversed = query.cursor?.before === true;
  const terms = orderTerms(query.random ? [] : query.orders, schema.sequence).map((term) =>
    reversed ? { ...term, descending: !term.descending } : term,
  );
  return {
    where: { sql: conditions.join(' AND ') || '1', values: writer.values },
    cursorColumns: terms.map((term) => term.column),
    orderBy: query.random
      ? 'random()'
      : terms.map((term) => `${term.column} ${term.descending ? 'DESC' : 'ASC'}`).join(', '),
    reversed,
    behind(values) {
      const cursor = new Writer();
      return { sql: behind(terms, values, cursor), values: cursor.values };
    },
  };
}
