import { invalidQuery, parseNode, type QueryNode, readNode } from '../databases/query/syntax.ts';
import { AppwriteError } from '../http/errors.ts';

export type Payload = Readonly<Record<string, unknown>>;

export interface PayloadFilter {
  /** Identifies the queries: filters with equal keys always give the same results. */
  readonly key: string;
  readonly all: boolean;
  matches(payload: Payload): boolean;
}

/** Maximum nesting of queries: deeper than any sensible query, but far too shallow to overflow the stack. */
const MAX_DEPTH = 20;
const MAX_VALUES = 500;

type Test = (payload: Payload) => boolean;

const ALL: Test = () => true;

const COMPARISONS: Readonly<Record<string, (value: string | number, bound: string | number) => boolean>> = {
  lessThan: (value, bound) => value < bound,
  lessThanEqual: (value, bound) => value <= bound,
  greaterThan: (value, bound) => value > bound,
  greaterThanEqual: (value, bound) => value >= bound,
};

/** Compares two numbers or two strings. A mixed pair never matches. */
function compared(method: string, value: unknown, bound: unknown): boolean {
  const isText = typeof value === 'string' && typeof bound === 'string';
  if (isText) return COMPARISONS[method]?.(value, bound) === true;
  return typeof value === 'number' && typeof bound === 'number' && COMPARISONS[method]?.(value, bound) === true;
}

const METHODS = ['equal', 'notEqual', ...Object.keys(COMPARISONS), 'isNull', 'isNotNull', 'and', 'or', 'select'];

function one(node: QueryNode): unknown {
  if (node.values.length !== 1) throw invalidQuery(`Query method '${node.method}' takes exactly one value.`);
  return node.values[0];
}

function logical(node: QueryNode, depth: number): Test {
  if (depth >= MAX_DEPTH) throw invalidQuery(`Queries may be nested at most ${MAX_DEPTH} deep.`);
  const tests = node.values.map((value) => compile(readNode(value), depth + 1));
  if (tests.length < 2)
    throw invalidQuery(`${node.method === 'and' ? 'And' : 'Or'} queries require at least two queries`);
  return node.method === 'and'
    ? (payload) => tests.every((test) => test(payload))
    : (payload) => tests.some((test) => test(payload));
}

function compile(node: QueryNode, depth: number): Test {
  const { method, attribute, values } = node;
  if (!METHODS.includes(method)) {
    throw invalidQuery(`Query method '${method}' is not supported in Realtime queries. Allowed: ${METHODS.join(', ')}`);
  }
  if (method === 'and' || method === 'or') return logical(node, depth);
  if (method === 'select') {
    if (values.length === 1 && values[0] === '*') return ALL;
    throw invalidQuery(`Only select(["*"]) is supported in Realtime queries.`);
  }
  if (values.length > MAX_VALUES)
    throw invalidQuery(`Query on attribute has greater than ${MAX_VALUES} values: ${attribute}`);
  const known = (test: (value: unknown) => boolean): Test => {
    return (payload) => Object.hasOwn(payload, attribute) && test(payload[attribute]);
  };
  switch (method) {
    case 'isNull':
      return known((value) => value === null);
    case 'isNotNull':
      return known((value) => value !== null);
    case 'equal':
      if (values.length === 0) throw invalidQuery('Equal queries require at least one value.');
      return known((value) => values.includes(value));
    case 'notEqual': {
      const other = one(node);
      return known((value) => value !== other);
    }
    default: {
      const bound = one(node);
      return known((value) => compared(method, value, bound));
    }
  }
}

/**
 * Returns a filter for payloads that match all `queries`; without queries, it matches every payload. Throws 1003 for an
 * invalid query.
 */
export function payloadFilter(queries: readonly string[]): PayloadFilter {
  let tests: Test[];
  try {
    tests = queries.map((query) => compile(parseNode(query), 0)).filter((test) => test !== ALL);
  } catch (error) {
    throw new AppwriteError('realtime_message_format_invalid', (error as Error).message);
  }
  return {
    key: JSON.stringify(queries),
    all: tests.length === 0,
    matches: (payload) => tests.every((test) => test(payload)),
  };
}
