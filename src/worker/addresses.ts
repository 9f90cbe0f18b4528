/** Decides by address and method how the worker answers a request. */

export interface Site {
  readonly origin: string;
  /** The backend's URL without a slash at the end, such as `https://example.com/v1`. */
  readonly endpoint: string;
  /** Path of the worker's registration, such as `/all-posts`. */
  readonly scope: string;
}

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/**
 * `page`: a writers' page; `share`: words and pictures shared with the app; `file`: an immutable script, style or font;
 * `account`, `data`, `picture`: answers to this user; `other`: everything that the worker leaves to the browser.
 */
export type Kind = 'page' | 'share' | 'file' | 'account' | 'data' | 'picture' | 'other';

/** Data of this site that writers' pages read. */
const SITE_DATA = /^\/(?:api\/(?:site|authors|recovery)|tags\.json)$/;
const PICTURE = /^\/storage\/buckets\/[^/]+\/files\/[^/]+\/(?:view|preview)$/;
/** Recovery codes are secrets, which are not stored. */
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

/** Returns true for the one page at `scope`, or for each page below it if it ends in a slash. */
export function isPage(pathname: string, scope: string): boolean {
  if (!scope.endsWith('/')) return pathname === scope;
  return pathname.startsWith(scope) && /^[^/]+$/.test(pathname.slice(scope.length));
}

/** Returns true if a proxy answers for a server that it cannot reach. */
export const isDown = (status: number): boolean => status >= 502 && status <= 504;

/** Returns the addresses of scripts, styles and fonts that a page's HTML names in attributes. */
export const filesNamedIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/="(\/_astro\/[^"]+)"/g), ([, address = '']) => address)),
];

/** Returns the address of the list of all scripts that a page's build may load; undefined for another site's page. */
export const listNamedIn = (html: string): string | undefined =>
  filesNamedIn(html).find((address) => /\/writers-files\.[^/]+\.json$/.test(address));
