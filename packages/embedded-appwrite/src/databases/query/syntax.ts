/** Parses query strings: `{"method":…,"attribute":…,"values":[…]}`. */
import { AppwriteError } from '../../http/errors.ts';

/** Returns the error for a query that breaks contract 2.4; `parseQueries` sets the list's error type. */
export const queryFault = (message: string): AppwriteError => new AppwriteError('general_query_invalid', message);

export const invalidQuery = (text: string): AppwriteError => queryFault(`Invalid query: ${text}`);

export interface QueryNode {
  readonly method: string;
  readonly attribute: string;
  readonly values: readonly unknown[];
}

/** Shorthand methods for comparisons with a system date. */
const DATE_METHODS: Readonly<Record<string, readonly [method: string, attribute: string]>> = {
  createdBefore: ['lessThan', '$createdAt'],
  createdAfter: ['greaterThan', '$createdAt'],
  createdBetween: ['between', '$createdAt'],
  updatedBefore: ['lessThan', '$updatedAt'],
  updatedAfter: ['greaterThan', '$updatedAt'],
  updatedBetween: ['between', '$updatedAt'],
};

/** Returns PHP's type name, as Appwrite prints it. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value) || typeof value === 'object') return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'double';
  return typeof value;
}

/** Reads a query that is already decoded, e.g. a member of `and`. Throws 400 `general_query_invalid`. */
export function readNode(decoded: unknown): QueryNode {
  if (decoded === null || typeof decoded !== 'object') {
    throw queryFault(`Invalid query. Must be an array, got ${typeName(decoded)}`);
  }
  const { method = '', attribute = '', values = [] } = decoded as Record<string, unknown>;
  if (typeof method !== 'string') {
    throw queryFault(`Invalid query method. Must be a string, got ${typeName(method)}`);
  }
  if (typeof attribute !== 'string') {
    throw queryFault(`Invalid query attribute. Must be a string, got ${typeName(attribute)}`);
  }
  if (!Array.isArray(values)) {
    throw queryFault(`Invalid query values. Must be an array, got ${typeName(values)}`);
  }
  const dated = Object.hasOwn(DATE_METHODS, method) ? DATE_METHODS[method] : undefined;
  return dated ? { method: dated[0], attribute: dated[1], values } : { method, attribute, values };
}

/** Parses a query's JSON. Throws 400 `general_query_invalid`. */
export function parseNode(raw: string): QueryNode {
  let decoded: unknown;
  try {
    decoded = JSON.parse(raw);
  } catch {
    throw invalidQuery('Syntax error');
  }
  return readNode(decoded);
}
