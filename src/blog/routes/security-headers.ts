/**
 * What every answer of the site tells the browser for safety's sake. Here alone it is said what that is: the server, its
 * threads and the hosting files of the export send it.
 */

import { fixedPaths, groupPrefixes } from './table.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Seconds for which a browser that was here by https comes by nothing else (RFC 6797): one year. */
const HTTPS_ONLY = 365 * 24 * 3600;

const WRITERS_PAGES: ReadonlySet<string> = new Set(fixedPaths('island'));
const WRITERS_GROUPS = groupPrefixes('island');

/** Of a path with its query. */
function isWritersPage(path: string): boolean {
  const [page = ''] = path.split('?', 1);
  return WRITERS_PAGES.has(page) || WRITERS_GROUPS.some((prefix) => page.startsWith(prefix));
}

/**
 * Gives the function that tells the headers of an answer by its path, or by a static host's pattern for paths. An answer
 * that says one of them itself means its own.
 */
export function securityHeaders(siteUrl: string): (path: string) => HeaderPairs {
  const everywhere: HeaderPairs = [
    ['X-Content-Type-Options', 'nosniff'],
    // Names below this one may be on http still: they are not included.
    ...(siteUrl.startsWith('https:') ? [['Strict-Transport-Security', `max-age=${HTTPS_ONLY}`] as const] : []),
  ];
  const shown: HeaderPairs = [...everywhere, ['Referrer-Policy', 'strict-origin-when-cross-origin']];
  // Their addresses name drafts, and no cache between keeps them; `no-store` would cost writers the way Back to an open form.
  const writers: HeaderPairs = [
    ...everywhere,
    ['Referrer-Policy', 'same-origin'],
    ['Cache-Control', 'private, no-cache'],
  ];
  return (path) => (isWritersPage(path) ? writers : shown);
}
