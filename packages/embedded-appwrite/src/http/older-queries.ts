/**
 * Translates queries written for Appwrite 1.4 and older, such as `equal("title", ["Ink"])`. Appwrite accepts them only
 * for documents, and only if `X-Appwrite-Response-Format` is 1.4 or lower.
 */
import type { Query } from './query-string.ts';

/** Methods that take only values. All other methods take the attribute as their first argument. */
const WITHOUT_ATTRIBUTE: ReadonlySet<string> = new Set(['limit', 'offset', 'cursorAfter', 'cursorBefore', 'select']);

function isOlder(format: string | undefined): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(format ?? '') ?? [];
  return major !== undefined && (Number(major) < 1 || (Number(major) === 1 && Number(minor) <= 4));
}

/** Translates the older queries in a query string if `format` is 1.4 or lower; otherwise returns it unchanged. */
export function withQueriesOfToday(query: Query, format: string | string[] | undefined): Query {
  const { queries } = query;
  if (!Array.isArray(queries) || !isOlder(String(format))) return query;
  return { ...query, queries: queries.map((each) => (typeof each === 'string' ? ofToday(each) : each)) };
}

function ofToday(written: string): string {
  const [, method = '', text = ''] = /^\s*([A-Za-z]+)\(([\s\S]*)\)\s*$/.exec(written) ?? [];
  const given = method ? readArguments(text) : undefined;
  if (!given) return written;
  const [first, ...rest] = given;
  if (WITHOUT_ATTRIBUTE.has(method)) return JSON.stringify({ method, values: given.flat() });
  return JSON.stringify({ method, ...(typeof first === 'string' && { attribute: first }), values: rest.flat() });
}

function readArguments(text: string): unknown[] | undefined {
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    return undefined;
  }
}
