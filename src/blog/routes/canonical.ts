/**
 * One address for each page. Whatever else means the same page is sent there, a query changes nothing, and what
 * cannot be an address at all is refused; so nobody can fill the store with variants of one page.
 */
import { HOME, pagePath, postPath } from './paths.ts';
import { ALL_ROUTES, ANY, PARAMETERS, type Route } from './table.ts';
import { POST_TAG } from './tags.ts';

export type Address =
  /** The page at this path. */
  | { readonly page: string }
  /** The page has another address: this path, with the query of the request. */
  | { readonly redirect: string }
  /** No address: a bad encoding, a NUL, a way out of the site. */
  | { readonly refused: 400 };

export interface MatchedRoute {
  readonly route: Route;
  /** Empty where the route has none. */
  readonly parameter: string;
  /** Of a list; 1 elsewhere. */
  readonly page: number;
}

/** Matched against a decoded path without a slash at its end, in any case. */
const PATTERNS = ALL_ROUTES.map((route) => ({ route, pattern: patternOf(route) }));

function patternOf({ path, parameter, perPage }: Route): RegExp {
  const [before = '', after = ''] = path(ANY).split(ANY).map(RegExp.escape);
  const first = parameter ? `${before}(${PARAMETERS[parameter]})${after}` : `${before}()`;
  const later = `${path(ANY) === HOME ? '()' : first}/page/0*([1-9][0-9]{0,5})`;
  return new RegExp(perPage ? `^(?:${first}|${later})$` : `^${first}$`, 'i');
}

/** The row of the table that a path belongs to, in whatever case and with whatever zeros it is written. */
export function routeOf(path: string): MatchedRoute | undefined {
  for (const { route, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (!match) continue;
    const given = match[1] || match[2] || '';
    const parameter = route.parameter === 'id' ? given : given.toLowerCase();
    return { route, parameter, page: Number(match[3] ?? 1) };
  }
  return undefined;
}

/** The slug of the post whose page or drawn picture this is; undefined for every other path. */
export function slugOf(path: string): string | undefined {
  const match = routeOf(path);
  return match && match.route.tag === POST_TAG ? match.parameter : undefined;
}

/** The same for a post's own page alone. */
export function postSlugOf(path: string): string | undefined {
  const slug = slugOf(path);
  return slug !== undefined && postPath(slug) === path ? slug : undefined;
}

/** What a request's URL means; undefined when it is no public page, nor another address of any page. */
export function canonical(url: string): Address | undefined {
  const [rawPath, query] = partsOf(url);
  const path = decoded(rawPath);
  if (path === undefined || isHostile(path)) return { refused: 400 };
  const found = pageAt(path);
  if (!found || (found.address === rawPath && !found.isStored)) return undefined;
  return found.address === rawPath ? { page: found.address } : { redirect: found.address + query };
}

/** Path and query of a request target, which may name the host as well (RFC 9112, 3.2.2). */
function partsOf(url: string): [path: string, query: string] {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.search(/[?#]/);
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 || target[mark] === '#' ? '' : (target.slice(mark).split('#', 1)[0] ?? '');
  return [path || HOME, query];
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isHostile(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /[\x00-\x1f\x7f\\]/.test(path) || path.split('/').includes('..');
}

function pageAt(path: string): { readonly address: string; readonly isStored: boolean } | undefined {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?:\/\.)+(?=\/|$)/g, '');
  // The last form may be a post whose slug is "index.html".
  const forms = [plain.replace(/\/index(?:\.html?)?\/?$/i, ''), plain];
  for (const form of forms) {
    const match = routeOf(form.replace(/\/$/, '') || HOME);
    if (!match) continue;
    const { route, parameter, page } = match;
    return { address: pagePath(route.path(parameter), page), isStored: route.kind === 'stored' };
  }
  return undefined;
}
