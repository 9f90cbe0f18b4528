/**
 * Maps every request to a page's canonical URL, so that URL variants cannot fill the page store. Redirects variants,
 * ignores query parameters of stored pages, and refuses malformed URLs.
 */
import { HOME, pagePath } from './paths.ts';
import { addressesOfSlug } from './post-address.ts';
import { ALL_ROUTES, ANY, PARAMETERS, type Route } from './table.ts';
import { POST_TAG } from './tags.ts';

export type Address = { readonly page: string } | { readonly redirect: string } | { readonly refused: 400 };

/** Matches decoded paths without a trailing slash, case-insensitively. */
const PATTERNS = ALL_ROUTES.map((route) => ({ route, pattern: patternOf(route) }));

function patternOf({ path, parameter, perPage }: Route): RegExp {
  const [before = '', after = ''] = path(ANY).split(ANY).map(RegExp.escape);
  const first = parameter ? `${before}(${PARAMETERS[parameter]})${after}` : `${before}()`;
  const later = `${path(ANY) === HOME ? '()' : first}/page/0*([1-9][0-9]{0,5})`;
  return new RegExp(perPage ? `^(?:${first}|${later})$` : `^${first}$`, 'i');
}

/** Returns the route of a path, ignoring case and leading zeros of the page number. */
export function routeOf(path: string) {
  for (const { route, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (!match) continue;
    const given = match[1] || match[2] || '';
    const parameter = route.parameter === 'id' ? given : given.toLowerCase();
    return { route, parameter, page: Number(match[3] ?? 1) };
  }
  return undefined;
}

/** Returns the slug in the path of a post, a page such as `/about` or a share picture; undefined for other paths. */
export function slugOf(path: string): string | undefined {
  const match = routeOf(path);
  return match && match.route.tag === POST_TAG ? match.parameter : undefined;
}

/** Returns the slug in a post's or page's canonical path; undefined for every other path. */
export function postSlugOf(path: string): string | undefined {
  const slug = slugOf(path);
  return slug !== undefined && addressesOfSlug(slug).includes(path) ? slug : undefined;
}

/** Returns how to handle a request's URL; undefined for unknown paths and for the canonical URL of an unstored page. */
export function canonical(url: string): Address | undefined {
  const [rawPath, query] = partsOf(url);
  const path = decoded(rawPath);
  if (path === undefined || isHostile(path)) return { refused: 400 };
  const found = pageAt(path);
  if (!found || (found.address === rawPath && !found.isStored)) return undefined;
  return found.address === rawPath ? { page: found.address } : { redirect: found.address + query };
}

/** Splits a request target, which may include the host (RFC 9112, 3.2.2), into path and query. */
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  return /[\x00-\x1f\x7f\\]/.test(path) || path.split('/').includes('..');
}

function pageAt(path: string): { readonly address: string; readonly isStored: boolean } | undefined {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?:\/\.)+(?=\/|$)/g, '');
  // Also tries the unchanged path, because a post may have the slug "index.html".
  const forms = [plain.replace(/\/index(?:\.html?)?\/?$/i, ''), plain];
  for (const form of forms) {
    const match = routeOf(form.replace(/\/$/, '') || HOME);
    if (!match) continue;
    const { route, parameter, page } = match;
    return { address: pagePath(route.path(parameter), page), isStored: route.kind === 'stored' };
  }
  return undefined;
}
