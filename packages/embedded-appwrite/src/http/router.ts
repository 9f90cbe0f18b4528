/** Matches requests to routes with a tree of path segments. Literal segments take precedence over parameters. */
import { AppwriteError } from './errors.ts';
import type { RateLimit, Route } from './route.ts';

export interface Limits {
  readonly counter: string;
  readonly limits: readonly RateLimit[];
}

export type CompiledRoute = ReturnType<typeof compile>;

export interface Match {
  readonly compiled: CompiledRoute;
  readonly values: readonly string[];
}

export type Router = ReturnType<typeof createRouter>;

interface Branch {
  readonly literals: Map<string, Branch>;
  parameter?: Branch;
  readonly routes: Map<string, CompiledRoute>;
}

/** Default rate limit for routes that write; higher than any one person needs. */
const WRITES: RateLimit = {
  limit: 120,
  window: 60,
  counter: 'writes',
  key: ({ ip, userId }) => userId || ip,
  quiet: true,
};

export function limitsOf({ method, limits }: Pick<Route, 'method' | 'limits'>): readonly RateLimit[] {
  return limits ?? (method === 'GET' ? [] : [WRITES]);
}

function branch(): Branch {
  return { literals: new Map(), routes: new Map() };
}

function compile(route: Route, pattern: string) {
  const pathNames = Array.from(pattern.matchAll(/\/:([^/]+)/g), ([, name]) => name as string);
  const counter = `${route.method} ${route.path}`;
  const limits = limitsOf(route);
  return {
    route,
    limits: { counter, limits: limits.filter(({ bodyKey }) => !bodyKey) },
    bodyLimits: { counter: `${counter} body`, limits: limits.filter(({ bodyKey }) => bodyKey) },
    pathNames,
    /** `position` is the parameter's index in the path, or -1 if it is in the query string or body. */
    params: Object.entries(route.params).map(([name, param]) => ({ name, param, position: pathNames.indexOf(name) })),
    readsBody: route.method !== 'GET' && route.body !== 'stream',
  };
}

function plant(root: Branch, route: Route, pattern: string): void {
  let at = root;
  for (const segment of pattern.split('/').slice(1)) {
    const isParameter = segment.startsWith(':');
    const next = (isParameter ? at.parameter : at.literals.get(segment)) ?? branch();
    if (isParameter) at.parameter = next;
    else at.literals.set(segment, next);
    at = next;
  }
  if (at.routes.has(route.method)) throw new Error(`Two routes answer ${route.method} ${pattern}.`);
  at.routes.set(route.method, compile(route, pattern));
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppwriteError('general_bad_request', 'The path is not validly percent-encoded.');
  }
}

export function createRouter(routes: readonly Route[]) {
  const root = branch();
  for (const route of routes) for (const pattern of [route.path, ...(route.aliases ?? [])]) plant(root, route, pattern);

  /**
   * Tries literal segments first and falls back to parameters. Only POST has the literal route `…/attributes/string`,
   * so in `GET …/attributes/string`, `string` is an attribute's key.
   */
  function walk(
    at: Branch,
    segments: string[],
    depth: number,
    method: string,
    values: string[],
  ): CompiledRoute | undefined {
    if (depth === segments.length) return at.routes.get(method);
    const segment = segments[depth] as string;
    const literal = at.literals.get(segment);
    if (literal) {
      const found = walk(literal, segments, depth + 1, method, values);
      if (found) return found;
    }
    if (!at.parameter || segment === '') return undefined;
    values.push(decoded(segment));
    const found = walk(at.parameter, segments, depth + 1, method, values);
    if (!found) values.pop();
    return found;
  }

  return {
    /** Finds a route. Throws 400 for a malformed percent-encoding. @param path the path below `/v1`, still encoded */
    find(method: string, path: string): Match | undefined {
      const segments = path.split('/');
      if (segments.at(-1) === '') segments.pop();
      const values: string[] = [];
      const compiled = walk(root, segments, 1, method, values);
      return compiled && { compiled, values };
    },
  };
}
