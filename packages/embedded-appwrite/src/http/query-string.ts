/** Parses the SDKs' query strings: `queries[0]=…`, `queries[]=…`, `a[0][1]=…`. Numeric keys produce arrays. */

export type QueryValue = string | QueryValue[] | { [key: string]: QueryValue };
export type Query = Readonly<Record<string, QueryValue>>;

const EMPTY: Query = Object.freeze(Object.create(null));
const MAX_PAIRS = 1000;
const MAX_DEPTH = 5;
const DIGITS = /^\d+$/;
const KEYS = /\[([^\]]*)\]/g;

type Tree = Map<string, Tree | string>;

/** Decodes a name or value. If a percent-encoding is malformed, decodes only `+`. */
function decoded(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function insert(root: Tree, name: string, value: string): void {
  const open = name.indexOf('[');
  if (open <= 0) {
    root.set(name, value);
    return;
  }
  const keys = Array.from(name.slice(open).matchAll(KEYS), (match) => match[1] as string).slice(0, MAX_DEPTH);
  let at = root;
  let key = name.slice(0, open);
  for (const next of keys) {
    let below = at.get(key);
    if (!(below instanceof Map)) {
      below = new Map();
      at.set(key, below);
    }
    at = below;
    key = next === '' ? String(at.size) : next;
  }
  at.set(key, value);
}

function toQueryValue(tree: Tree): QueryValue {
  const values = Array.from(tree.values(), (value) => (typeof value === 'string' ? value : toQueryValue(value)));
  const keys = [...tree.keys()];
  if (keys.every((key) => DIGITS.test(key))) return values;
  const object: Record<string, QueryValue> = Object.create(null);
  keys.forEach((key, index) => {
    object[key] = values[index] as QueryValue;
  });
  return object;
}

/** Parses a query string; ignores pairs beyond the thousandth. @param text the part of the URL after the `?` */
export function parseQuery(text: string): Query {
  if (text === '') return EMPTY;
  const root: Tree = new Map();
  for (const pair of text.split('&', MAX_PAIRS)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    insert(root, name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  const query: Record<string, QueryValue> = Object.create(null);
  for (const [name, value] of root) query[name] = typeof value === 'string' ? value : toQueryValue(value);
  return query;
}
