/**
 * The route table: one row per path or path pattern. Canonical addresses, the sitemap, the export, hosting files,
 * redirects and CDN purges are based on it. A new public page needs one row here, its path in `paths.ts` and a file in
 * `pages/`.
 */
import { yearOf } from '../dates.ts';
import { PAGE_SLUG } from '../page-slugs.ts';
import { isPage, type PostSummary } from '../post.ts';
import type { ListSettings } from '../site.ts';
import { tagSlugs } from '../tags/tag-slug.ts';
import * as paths from './paths.ts';
import { addressOfPost, pageAddress } from './post-address.ts';
import { AUTHOR_TAG, POST_TAG, POSTS, SITE, TAG_TAG } from './tags.ts';

export type RoutedPost = Pick<
  PostSummary,
  'id' | 'userId' | 'featuredImage' | 'tags' | 'kind' | 'createdAt' | 'updatedAt'
>;

export interface Route {
  readonly parameter?: keyof typeof PARAMETERS;
  readonly path: (parameter: string) => string;
  /**
   * `stored`: public, the same for every reader, kept by the page store and part of every export. `island`: a writers'
   * page. `personal`: rendered for each request.
   */
  readonly kind: 'stored' | 'island' | 'personal';
  readonly perPage?: number;
  /** The cache tag with which the row's pages are purged. For a row with a parameter, a prefix such as `post:`. */
  readonly tag?: string;
  /** Returns the path parameters of this row's pages that show `post`. Unused for a row without a parameter. */
  readonly showing?: (post: RoutedPost, site: ListSettings) => readonly string[];
  /** True if the row shows pages such as `/about` as well as posts. */
  readonly withPages?: true;
  readonly inSitemap?: boolean;
}

/** Patterns of the parameters in paths. User ids (contract 1.1) are case-sensitive. */
export const PARAMETERS = {
  slug: '[a-z0-9][a-z0-9._-]{0,35}',
  pageSlug: PAGE_SLUG,
  id: '[a-z0-9][a-z0-9._-]{0,35}',
  year: '[1-9][0-9]{3}',
  number: '[1-9][0-9]{0,3}',
} as const;

/** Posts per page of a list, unless the owner has chosen another number. */
export const PER_PAGE = 24;
export const TITLES_PER_PAGE = 200;

const fixed = (path: string, more: Omit<Route, 'path' | 'parameter'>): Route => ({ path: () => path, ...more });

export const ROUTES = {
  post: {
    parameter: 'slug',
    path: paths.postPath,
    kind: 'stored',
    tag: POST_TAG,
    withPages: true,
    showing: (post) => (addressOfPost(post) === paths.postPath(post.id) ? [post.id] : []),
    inSitemap: true,
  },
  home: fixed(paths.HOME, { kind: 'stored', perPage: PER_PAGE, tag: POSTS, inSitemap: true }),
  archive: fixed(paths.ARCHIVE, { kind: 'stored', tag: POSTS, inSitemap: true }),
  rss: fixed(paths.RSS_FEED, { kind: 'stored', tag: POSTS }),
  atom: fixed(paths.ATOM_FEED, { kind: 'stored', tag: POSTS }),
  jsonFeed: fixed(paths.JSON_FEED, { kind: 'stored', tag: POSTS }),
  robots: fixed(paths.ROBOTS, { kind: 'stored' }),
  sitemap: fixed(paths.SITEMAP, { kind: 'stored', tag: POSTS }),
  // `storedPaths` adds the parts of the sitemap, because their number depends on the pages of all rows.
  sitemapPart: { parameter: 'number', path: paths.sitemapPartPath, kind: 'stored' },
  sharePicture: {
    parameter: 'slug',
    path: paths.sharePicturePath,
    kind: 'stored',
    tag: POST_TAG,
    withPages: true,
    showing: ({ id, featuredImage }) => (featuredImage ? [] : [id]),
  },
  author: {
    parameter: 'id',
    path: paths.authorPath,
    kind: 'stored',
    perPage: PER_PAGE,
    tag: AUTHOR_TAG,
    showing: ({ userId }) => [userId],
    inSitemap: true,
  },
  year: {
    parameter: 'year',
    path: paths.yearPath,
    kind: 'stored',
    perPage: TITLES_PER_PAGE,
    showing: ({ createdAt }, { timeZone }) => [`${yearOf(createdAt, timeZone)}`],
    inSitemap: true,
  },
  tag: {
    parameter: 'slug',
    path: paths.tagPath,
    kind: 'stored',
    perPage: PER_PAGE,
    tag: TAG_TAG,
    showing: ({ tags }) => tagSlugs(tags),
    inSitemap: true,
  },
  tagFeed: {
    parameter: 'slug',
    path: paths.tagFeedPath,
    kind: 'stored',
    tag: TAG_TAG,
    showing: ({ tags }) => tagSlugs(tags),
  },
  siteCss: fixed(paths.SITE_CSS, { kind: 'stored', tag: SITE }),
  tagsInUse: fixed(paths.TAGS_IN_USE, { kind: 'stored', tag: POSTS }),
  search: fixed(paths.SEARCH, { kind: 'personal' }),
  securityTxt: fixed(paths.SECURITY_TXT, { kind: 'personal' }),
  appManifest: fixed(paths.APP_MANIFEST, { kind: 'personal' }),
  appIcon: { parameter: 'number', path: paths.appIconPath, kind: 'personal' },
  login: fixed(paths.LOGIN, { kind: 'island' }),
  signup: fixed(paths.SIGNUP, { kind: 'island' }),
  allPosts: fixed(paths.ALL_POSTS, { kind: 'island' }),
  account: fixed(paths.ACCOUNT, { kind: 'island' }),
  manage: fixed(paths.MANAGE, { kind: 'island' }),
  claim: fixed(paths.CLAIM, { kind: 'island' }),
  welcome: fixed(paths.WELCOME, { kind: 'island' }),
  forgotPassword: fixed(paths.FORGOT_PASSWORD, { kind: 'island' }),
  resetPassword: fixed(paths.RESET_PASSWORD, { kind: 'island' }),
  verifyEmail: fixed(paths.VERIFY_EMAIL, { kind: 'island' }),
  addPost: fixed(paths.ADD_POST, { kind: 'island' }),
  editPost: { parameter: 'slug', path: paths.editPostPath, kind: 'island' },
  page: {
    parameter: 'pageSlug',
    path: pageAddress,
    kind: 'stored',
    tag: POST_TAG,
    withPages: true,
    showing: (post) => (addressOfPost(post) === pageAddress(post.id) ? [post.id] : []),
    inSitemap: true,
  },
} as const satisfies Readonly<Record<string, Route>>;

export const ALL_ROUTES: readonly Route[] = Object.values(ROUTES);
const STORED: readonly Route[] = ALL_ROUTES.filter(({ kind }) => kind === 'stored');

export const ANY = '*';

export const fixedPaths = (kind: Route['kind']): string[] =>
  ALL_ROUTES.filter((route) => route.kind === kind && !route.parameter).map((route) => route.path(''));

/** Returns the path prefixes of rows with many pages, such as `/post/`, for rules that set headers. */
export function groupPrefixes(kind: Route['kind']): string[] {
  const rows = ALL_ROUTES.filter((route) => route.kind === kind);
  const ofParameters = rows.flatMap(({ parameter, path }) => (parameter ? [path(ANY).split(ANY, 1)[0] as string] : []));
  const ofHome = rows.some(({ path, perPage }) => perPage && path('') === paths.HOME)
    ? [paths.pagePath(paths.HOME, 2).slice(0, -1)]
    : [];
  return [...new Set([...ofParameters, ...ofHome])].filter((prefix) => /.\/$/.test(prefix));
}

/** Returns true if the path has a file extension. An export uses such a path as it is; other paths become folders. */
export const isFile = ({ path }: Route): boolean => /\.[a-z]+$/.test(path(ANY));

/** Returns the paths of the lists that have a parameter and numbered pages, with `parameter` filled in. */
export const numberedLists = (parameter: string): string[] =>
  STORED.flatMap((route) => (route.parameter && route.perPage ? [route.path(parameter)] : []));

/**
 * Returns the paths to purge from a CDN for a tag. They come from the table, not from the page store, because a CDN may
 * still serve pages that the store has dropped.
 */
export function pathsOfTag(tag: string): string[] {
  return STORED.flatMap((route) => {
    if (!route.tag) return [];
    if (!route.parameter) return tag === route.tag || tag === SITE ? [route.path('')] : [];
    return tag.startsWith(route.tag) ? [route.path(tag.slice(route.tag.length))] : [];
  });
}

function instancesOf(route: Route, posts: readonly RoutedPost[], site: ListSettings) {
  const shown = new Map<string, { posts: number; changed: string }>();
  if (!route.parameter) shown.set('', { posts: 0, changed: '' });
  for (const post of posts) {
    if (isPage(post) && !route.withPages) continue;
    for (const parameter of route.parameter ? (route.showing?.(post, site) ?? []) : ['']) {
      const instance = shown.get(parameter) ?? { posts: 0, changed: '' };
      if (instance.posts === 0) shown.set(parameter, instance);
      instance.posts++;
      if (post.updatedAt > instance.changed) instance.changed = post.updatedAt;
    }
  }
  return Array.from(shown, ([parameter, instance]) => ({ path: route.path(parameter), ...instance }));
}

export interface SitemapPage {
  readonly path: string;
  readonly changed: string;
}

/** Pages per part. The protocol allows 50,000, but with smaller parts an edit changes less of the sitemap. */
export const SITEMAP_PART = 2000;

/**
 * Returns every public page except pages 2 and up of lists. The posts come first, sorted from oldest to newest, so
 * that a new post changes only the last parts. `posts` are all published posts and pages, newest first.
 */
export function sitemapPages(posts: readonly RoutedPost[], site: ListSettings = {}): SitemapPage[] {
  if (posts.length === 0) return [];
  const oldestFirst = posts.toReversed();
  return STORED.filter(({ inSitemap }) => inSitemap).flatMap((route) =>
    instancesOf(route, oldestFirst, site).map(({ path, changed }) => ({ path, changed })),
  );
}

/** Returns the number of sitemap parts for this many pages; 0 if the sitemap itself can list them all. */
export const sitemapParts = (pages: number): number => (pages > SITEMAP_PART ? Math.ceil(pages / SITEMAP_PART) : 0);

export function storedPaths(posts: readonly RoutedPost[], site: ListSettings = {}): string[] {
  const rows = STORED.map((route) => ({ route, instances: instancesOf(route, posts, site) }));
  const addresses = rows.flatMap(({ route, instances }) =>
    instances.flatMap(({ path, posts: shown }) => {
      const perPage = route.perPage === PER_PAGE ? (site.perPage ?? PER_PAGE) : route.perPage;
      const pages = perPage ? Math.max(1, Math.ceil(shown / perPage)) : 1;
      return Array.from({ length: pages }, (_, i) => paths.pagePath(path, i + 1));
    }),
  );
  const inSitemap = rows.reduce((sum, { route, instances }) => sum + (route.inSitemap ? instances.length : 0), 0);
  const parts = posts.length === 0 ? 0 : sitemapParts(inSitemap);
  return [...addresses, ...Array.from({ length: parts }, (_, i) => paths.sitemapPartPath(i + 1))];
}
