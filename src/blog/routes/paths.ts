/** Paths of the site's pages, for links; `table.ts` has their other properties. */

export const HOME = '/';
export const ARCHIVE = '/archive';
export const SEARCH = '/search';
export const LOGIN = '/login';
export const SIGNUP = '/signup';
export const ALL_POSTS = '/all-posts';
export const ACCOUNT = '/account';
export const MANAGE = '/site';
export const CLAIM = '/claim';
export const claimPath = (token: string): string => `${CLAIM}#${token}`;
export const WELCOME = '/welcome';
export const ADD_POST = '/add-post';
/** Returns the path of a new page's form, which is filled from the template `name` if `page-suggestions.ts` has it. */
export const suggestedPagePath = (name: string): string => `${ADD_POST}?page=${name}`;
export const RSS_FEED = '/feed.xml';
export const ATOM_FEED = '/atom.xml';
export const JSON_FEED = '/feed.json';
export const SITEMAP = '/sitemap.xml';
export const ROBOTS = '/robots.txt';
export const SITE_CSS = '/site.css';
/** The service worker's script and scopes. The scopes are path prefixes of the pages that open offline. */
export const WORKER = '/writers-worker.js';
export const WORKER_SCOPES: readonly string[] = [ADD_POST, '/edit-post/', ALL_POSTS, ACCOUNT];
export const APP_MANIFEST = '/app.webmanifest';
/** Sizes in pixels of the app's icon. */
export const APP_ICON_SIZES = [192, 512] as const;
export const appIconPath = (size: number | string): string => `/app-icon-${size}.png`;
export const SECURITY_TXT = '/.well-known/security.txt';

export const postPath = (slug: string): string => `/post/${slug}`;
export const sharePicturePath = (slug: string): string => `${postPath(slug)}/share.png`;
export const draftPath = (slug: string, key: string): string => `/draft/${slug}/${key}`;
export const editPostPath = (slug: string): string => `/edit-post/${slug}`;
export const authorPath = (userId: string): string => `/author/${userId}`;
export const tagPath = (slug: string): string => `/tag/${slug}`;
export const tagFeedPath = (slug: string): string => `${tagPath(slug)}/feed.xml`;
export const TAGS_IN_USE = '/tags.json';
export const yearPath = (year: number | string): string => `${ARCHIVE}/${year}`;
export const sitemapPartPath = (part: number | string): string => `/sitemap-${part}.xml`;

export const FORGOT_PASSWORD = '/forgot-password';
export const RESET_PASSWORD = '/reset-password';
export const VERIFY_EMAIL = '/verify-email';
/**
 * Returns the path that a one-time link leads to. The proof follows `#`, which browsers do not send to servers.
 * `?renewed` means that the account's old password, passkeys and sessions no longer work.
 */
export const welcomePath = ({ isRenewed = false, proof }: { isRenewed?: boolean; proof?: string } = {}): string =>
  `${WELCOME}${isRenewed ? '?renewed' : ''}${proof === undefined ? '' : `#${proof}`}`;

export const pagePath = (list: string, n: number | string): string => (Number(n) <= 1 ? list : numberedPath(list, n));
/** Returns the numbered path even for page 1, which redirects to the list. */
export const numberedPath = (list: string, n: number | string): string => `${list === HOME ? '' : list}/page/${n}`;
