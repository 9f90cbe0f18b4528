/** Security headers of every response. The server, its threads and the export's hosting files share this source. */

import { fixedPaths, groupPrefixes } from './table.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

const HTTPS_ONLY = 365 * 24 * 3600;

const WRITERS_PAGES: ReadonlySet<string> = new Set(fixedPaths('island'));
const WRITERS_GROUPS = groupPrefixes('island');

function isWritersPage(path: string): boolean {
  const [page = ''] = path.split('?', 1);
  return WRITERS_PAGES.has(page) || WRITERS_GROUPS.some((prefix) => page.startsWith(prefix));
}

/**
 * Returns a function that takes a path, or a static host's path pattern, and returns headers for the response. Headers
 * that the response already has take precedence.
 */
export function securityHeaders(siteUrl: string): (path: string) => HeaderPairs {
  const everywhere: HeaderPairs = [
    ['X-Content-Type-Options', 'nosniff'],
    // `includeSubDomains` is left out, because subdomains may still use http.
    ...(siteUrl.startsWith('https:') ? [['Strict-Transport-Security', `max-age=${HTTPS_ONLY}`] as const] : []),
  ];
  const shown: HeaderPairs = [...everywhere, ['Referrer-Policy', 'strict-origin-when-cross-origin']];
  // Hides the URLs of these pages from other sites, because a URL may contain the slug of a draft, and keeps shared
  // caches from storing the pages. Avoids `no-store`, which would keep the Back button from restoring an open form.
  const writers: HeaderPairs = [
    ...everywhere,
    ['Referrer-Policy', 'same-origin'],
    ['Cache-Control', 'private, no-cache'],
  ];
  return (path) => (isWritersPage(path) ? writers : shown);
}
