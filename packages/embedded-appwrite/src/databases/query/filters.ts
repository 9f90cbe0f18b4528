import type { QueryField, QuerySchema, SqlValue } from './schema.ts';
import { invalidQuery, type QueryNode, queryFault, readNode } from './syntax.ts';
import { encodeValue } from './values.ts';

/** Number of values that each filter takes; `any` means at least one. */
const FILTER_VALUES = {
  equal: 'any',
  contains: 'any',
  notContains: 'any',
  containsAny: 'any',
  containsAll: 'any',
  notEqual: 'one',
  lessThan: 'one',
  lessThanEqual: 'one',
  greaterThan: 'one',
  greaterThanEqual: 'one',
  startsWith: 'one',
  endsWith: 'one',
  notStartsWith: 'one',
  notEndsWith: 'one',
  search: 'one',
  notSearch: 'one',
  between: 'two',
  notBetween: 'two',
  isNull: 'none',
  isNotNull: 'none',
} as const;

export type FilterMethod = keyof typeof FILTER_VALUES;

export interface AttributeFilter {
  readonly method: FilterMethod;
  readonly field: QueryField;
  readonly values: readonly SqlValue[];
}

export interface LogicalFilter {
  readonly method: 'and' | 'or';
  readonly filters: readonly Filter[];
}

export type Filter = AttributeFilter | LogicalFilter;

/** Maximum values per query (contract 2.4). */
const MAX_VALUES = 500;
/** Maximum nesting of `and` and `or`, well below SQLite's limit on an expression's depth. */
const MAX_DEPTH = 30;
const OF_ARRAYS = /^(?:contains(?:Any|All)?|notContains|is(?:Not)?Null)$/;
const OF_TEXT = /^(?:contains|startsWith|endsWith|search|not(?:Contains|StartsWith|EndsWith|Search))$/;

export function isFilterMethod(method: string): boolean {
  return method === 'and' || method === 'or' || Object.hasOwn(FILTER_VALUES, method);
}

const capitalised = (method: string): string => method.charAt(0).toUpperCase() + method.slice(1);

/** Throws 400 if the field is unknown or cannot be used in filters and orders. */
export function fieldOf(schema: QuerySchema, attribute: string): QueryField {
  const field = schema.fields.get(attribute);
  if (!field || field.queryable === false) throw invalidQuery(`Attribute not found in schema: ${attribute}`);
  return field;
}

function checkCount(method: FilterMethod, count: number): void {
  const rule = FILTER_VALUES[method];
  if (rule === 'any' && count === 0) throw invalidQuery(`${capitalised(method)} queries require at least one value.`);
  if (rule === 'one' && count !== 1) throw invalidQuery(`${capitalised(method)} queries require exactly one value.`);
  if (rule === 'two' && count !== 2) throw invalidQuery(`${capitalised(method)} queries require exactly two values.`);
}

function checkMethod(method: FilterMethod, attribute: string, field: QueryField): void {
  if (field.array) {
    if (!OF_ARRAYS.test(method)) {
      throw invalidQuery(`Cannot query ${method} on attribute "${attribute}" because it is an array.`);
    }
    return;
  }
  if (method === 'containsAny' || method === 'containsAll') {
    throw invalidQuery(`Cannot query ${method} on attribute "${attribute}" because it is not an array.`);
  }
  if (OF_TEXT.test(method) && field.type !== 'string') {
    const kinds = method === 'contains' || method === 'notContains' ? 'an array, string, or object' : 'a string';
    throw invalidQuery(`Cannot query ${method} on attribute "${attribute}" because it is not ${kinds}.`);
  }
}

function readLogical(node: QueryNode, schema: QuerySchema, depth: number): LogicalFilter {
  const method = node.method as 'and' | 'or';
  const members = node.values.map(readNode);
  for (const member of members) {
    if (!isFilterMethod(member.method))
      throw invalidQuery(`${capitalised(method)} queries can only contain filter queries`);
  }
  if (members.length < 2) throw invalidQuery(`${capitalised(method)} queries require at least two queries`);
  if (depth >= MAX_DEPTH) throw invalidQuery(`Queries may be nested at most ${MAX_DEPTH} deep`);
  return { method, filters: members.map((member) => readFilter(member, schema, depth + 1)) };
}

/** Checks and returns a filter, including the members of `and` and `or`. Throws 400 `general_query_invalid`. */
export function readFilter(node: QueryNode, schema: QuerySchema, depth = 0): Filter {
  if (node.method === 'and' || node.method === 'or') return readLogical(node, schema, depth);
  const method = node.method as FilterMethod;
  const { attribute } = node;
  checkCount(method, node.values.length);
  const field = fieldOf(schema, attribute);
  if (node.values.length > MAX_VALUES) {
    throw invalidQuery(`Query on attribute has greater than ${MAX_VALUES} values: ${attribute}`);
  }
  checkMethod(method, attribute, field);
  const values = node.values.map((value) => {
    const encoded = encodeValue(field.type, value);
    if (encoded === undefined) throw invalidQuery(`Query value is invalid for attribute "${attribute}"`);
    return encoded;
  });
  if ((method === 'search' || method === 'notSearch') && !field.fulltext) {
    throw queryFault(`Searching by attribute "${attribute}" requires a fulltext index.`);
  }
  return { method, field, values: FILTER_VALUES[method] === 'none' ? [] : values };
}
