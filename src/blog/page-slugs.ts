/** Slugs that pages may have. A page's path is just its slug, so it must not equal a path of the site itself. */

/** First path segments that the site itself uses: routes, server endpoints, exported files and error pages. */
export const RESERVED_SLUGS: readonly string[] = [
  ...['account', 'add-post', 'all-posts', 'api', 'archive', 'author', 'claim', 'draft', 'edit-post'],
  ...['forgot-password', 'healthz', 'index', 'login', 'metrics', 'page', 'post', 'readyz', 'reset-password'],
  ...['search', 'search-index', 'signup', 'site', 'tag', 'up', 'v1', 'verify-email', 'welcome'],
  ...['400', '403', '404', '405', '500'],
];

/** Prefixes that page slugs must not have, because the service worker's scopes match by path prefix. */
const SCOPES = ['account', 'add-post', 'all-posts'];

/** Regular expression source for page slugs. Excludes dots, so that no page has the path of a file. */
export const PAGE_SLUG = `(?!(?:${RESERVED_SLUGS.join('|')})$|${SCOPES.join('|')})[a-z0-9][a-z0-9_-]{0,35}`;
const WHOLE = new RegExp(`^${PAGE_SLUG}$`);

export const isPageSlug = (slug: string): boolean => WHOLE.test(slug);
