/** Decides by URL and method how the worker handles a request. */

export interface Site {
  readonly origin: string;
  /** The backend's URL without a slash at the end, such as `https://example.com/v1`. */
  readonly endpoint: string;
  /** Path of the registration's scope, such as `/all-posts`. */
  readonly scope: string;
}

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/**
 * `page`: a writers' page; `share`: text and pictures shared with the app; `file`: an immutable script, style or font;
 * `account`, `data`, `picture`: responses for this user; `other`: everything that the worker leaves to the browser.
 */
export type Kind = 'page' | 'share' | 'file' | 'account' | 'data' | 'picture' | 'other';

/** Paths of the site's data that writers' pages read. */
const SITE_DATA = /^\/(?:api\/(?:site|authors|recovery)|tags\.json)$/;
const PICTURE = /^\/storage\/buckets\/[^/]+\/files\/[^/]+\/(?:view|preview)$/;
/** Excludes recovery codes, because they are secrets. */
const BACKEND_DATA = /^\/(?:account|databases)\/(?!mfa\/recovery-codes)/;

export function kindOf({ method, mode, url }: Asked, { origin, endpoint, scope }: Site): Kind {
  const { pathname, href } = new URL(url);
  const isOwn = href.startsWith(`${origin}/`);
  if (mode === 'navigate') {
    if (!isOwn || !isPage(pathname, scope)) return 'other';
    return method === 'GET' ? 'page' : method === 'POST' && pathname === '/add-post' ? 'share' : 'other';
  }
  if (method !== 'GET') return 'other';
  if (isOwn && pathname.startsWith('/_astro/')) return 'file';
  if (isOwn && SITE_DATA.test(pathname)) return 'data';
  const base = new URL(endpoint);
  if (!href.startsWith(`${endpoint}/`)) return 'other';
  const path = pathname.slice(base.pathname.length);
  if (path === '/account') return 'account';
  if (PICTURE.test(path)) return 'picture';
  return BACKEND_DATA.test(path) ? 'data' : 'other';
}

/** Returns true if the path equals `scope` or, if `scope` ends in a slash, is directly below it. */
export function isPage(pathname: string, scope: string): boolean {
  if (!scope.endsWith('/')) return pathname === scope;
  return pathname.startsWith(scope) && /^[^/]+$/.test(pathname.slice(scope.length));
}

/** Returns true for the status codes of a proxy that cannot reach the server. */
export const isDown = (status: number): boolean => status >= 502 && status <= 504;

/** Returns the paths of scripts, styles and fonts in the attributes of a page's HTML. */
export const filesNamedIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/="(\/_astro\/[^"]+)"/g), ([, address = '']) => address)),
];

/** Returns the path of the JSON list of the build's scripts for writers' pages; undefined for a page without a list. */
export const listNamedIn = (html: string): string | undefined =>
  filesNamedIn(html).find((address) => /\/writers-files\.[^/]+\.json$/.test(address));
