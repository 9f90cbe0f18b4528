/** Parses a list request's queries into filters, order, page and selection (contract 2.4). */
import { AppwriteError } from '../../http/errors.ts';
import { isId } from '../../identifiers.ts';
import { type Filter, fieldOf, isFilterMethod, readFilter } from './filters.ts';
import type { QueryField, QuerySchema } from './schema.ts';
import { invalidQuery, parseNode, type QueryNode, queryFault } from './syntax.ts';

export interface Order {
  readonly attribute: string;
  readonly field: QueryField;
  readonly descending: boolean;
}

export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly orders: readonly Order[];
  readonly random: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: { readonly id: string; readonly before: boolean };
  readonly select?: readonly string[];
}

export interface ParseOptions {
  /** `general_query_invalid` for documents and rows, `general_argument_invalid` for every other list (contract 1.7). */
  readonly errorType: 'general_query_invalid' | 'general_argument_invalid';
  readonly select?: boolean;
  /** Rows per page when the queries set no limit (default 25). */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 25;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Draft extends Mutable<Partial<Omit<ListQuery, 'filters' | 'orders' | 'select'>>> {
  filters: Filter[];
  orders: Order[];
  random: boolean;
  select?: string[];
}

function count(node: QueryNode, least: number): number {
  const value = node.values[0];
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') throw invalidQuery(`Invalid ${node.method}: Value must be a valid number`);
  if (!Number.isInteger(number) || number < least || number > 2 ** 63) {
    const range = `${least} and 9,223,372,036,854,775,807`;
    throw invalidQuery(`Invalid ${node.method}: Value must be a valid range between ${range}`);
  }
  return Math.min(number, Number.MAX_SAFE_INTEGER);
}

function cursorId(node: QueryNode): string {
  const id = node.values[0];
  if (typeof id === 'string' && isId(id)) return id;
  throw invalidQuery(
    'Invalid cursor: UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. ' +
      "Can't start with a leading underscore",
  );
}

function addSelect(draft: Draft, node: QueryNode, schema: QuerySchema): void {
  if (node.values.length === 0) throw invalidQuery('No attributes selected');
  const names = draft.select ?? [];
  for (const name of node.values) {
    if (typeof name !== 'string' || !(name === '*' || name.startsWith('$') || schema.fields.has(name))) {
      throw invalidQuery(`Attribute not found in schema: ${String(name)}`);
    }
    if (names.includes(name)) throw invalidQuery('Duplicate attributes selected');
    names.push(name);
  }
  draft.select = names;
}

function add(draft: Draft, node: QueryNode, schema: QuerySchema, options: ParseOptions): void {
  const { method, attribute } = node;
  if (isFilterMethod(method)) {
    draft.filters.push(readFilter(node, schema));
    return;
  }
  switch (method) {
    case 'orderAsc':
    case 'orderDesc':
      draft.orders.push({ attribute, field: fieldOf(schema, attribute), descending: method === 'orderDesc' });
      return;
    case 'orderRandom':
      draft.random = true;
      return;
    case 'limit':
      draft.limit ??= count(node, 1);
      return;
    case 'offset':
      draft.offset ??= count(node, 0);
      return;
    case 'cursorAfter':
    case 'cursorBefore':
      draft.cursor ??= { id: cursorId(node), before: method === 'cursorBefore' };
      return;
    case 'select':
      if (!options.select) throw queryFault('Invalid query method: select');
      addSelect(draft, node, schema);
      return;
    default:
      throw queryFault(`Invalid query method: ${method}`);
  }
}

function paramFault({ message }: AppwriteError): AppwriteError {
  const text = message.startsWith('Invalid query: ') ? message : `Invalid query: ${message}`;
  return new AppwriteError('general_argument_invalid', `Invalid \`queries\` param: ${text}`);
}

/** Parses a list's queries; the first limit, offset and cursor win. Throws an error of type `options.errorType`. */
export function parseQueries(raw: readonly string[], schema: QuerySchema, options: ParseOptions): ListQuery {
  const draft: Draft = { filters: [], orders: [], random: false };
  try {
    for (const text of raw) add(draft, parseNode(text), schema, options);
  } catch (error) {
    const isOfParam = error instanceof AppwriteError && options.errorType === 'general_argument_invalid';
    throw isOfParam ? paramFault(error) : error;
  }
  const { limit = options.limit ?? DEFAULT_LIMIT, offset = 0, ...rest } = draft;
  return { ...rest, limit, offset };
}
