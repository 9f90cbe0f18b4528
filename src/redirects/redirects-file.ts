/**
 * Redirects the addresses that posts had on another site. Imports and operators write a text file with lines such as
 * `/old/address /post/slug`. A line without a query is used only for an address that would otherwise be a 404, so
 * it hides no page. A line with a query, such as `/?p=123`, is looked up first: the site's own addresses have no query.
 */
import { readFile, stat } from 'node:fs/promises';
import { canonical, postSlugOf, slugOf } from '#blog/routes/canonical.ts';

export interface Redirect {
  /** Percent-encoded, without a trailing slash or `.html`. Includes the query if it identifies the old page. */
  readonly from: string;
  readonly to: string;
}

export interface Redirects {
  /** Returns the new address for a request's path and query; undefined if the file has no line for it. */
  targetOf(address: string): Promise<string | undefined>;
  /** Like `targetOf`, but checks only lines whose old address has a query. */
  targetOfQuery(address: string): Promise<string | undefined>;
}

export const REDIRECTS_FILE = 'redirects';
const HEADING = '# Old addresses: a line for each, the old path and the new one. Imports add lines and change none.\n';
const REFRESH_INTERVAL_MS = 1000;

/** Returns one key for all forms in which site generators write a path: `/a/B/`, `/a/b.html`, `/a/b/index.html`. */
function keyOf(path: string): string | undefined {
  try {
    return normalised(decodeURIComponent(path)).normalize('NFC').toLowerCase();
  } catch {
    return undefined;
  }
}

const normalised = (path: string): string =>
  path
    .replace(/\/{2,}/g, '/')
    .replace(/(?:(\/)index)?\.html?$|(\/)index$/i, '$1$2')
    .replace(/(.)\/$/, '$1');

export function partsOf(address: string): { readonly path: string; readonly query: URLSearchParams } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/s.exec(address) ?? [];
  return { path, query: new URLSearchParams(query) };
}

function queryKey(query: URLSearchParams, names: Iterable<string> = query.keys()): string {
  const sorted = [...new Set(names)].sort().map((name) => [name, query.get(name) ?? '']);
  return sorted.length > 0 ? `?${new URLSearchParams(sorted)}` : '';
}

export function parseRedirects(text: string): { readonly pages: Redirect[]; readonly faults: string[] } {
  const pages: Redirect[] = [];
  const faults: string[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const [from = '', to = '', ...more] = line.trim().split(/\s+/);
    if (from === '' || from.startsWith('#')) return;
    if (
      more.length > 0 ||
      !from.startsWith('/') ||
      keyOf(partsOf(from).path) === undefined ||
      !/^(?:\/(?!\/)|https?:\/\/)\S*$/.test(to)
    ) {
      faults.push(`Line ${at + 1} is not an old path and a new address, such as /2020/01/02/ink.html /post/ink`);
    } else pages.push({ from: encoded(from), to: inAscii(to) });
  });
  return { pages, faults };
}

/** Percent-encodes an address for a header. Parts that are already encoded stay unchanged. */
const inAscii = (address: string): string => address.toWellFormed().replace(/[^!-~]+/g, encodeURI);

/** Encodes an address for the file, so that it contains no white space. */
function encoded(address: string): string {
  const { path, query } = partsOf(address);
  const bare = encodeURI(normalised(decodeURIComponent(path))).replace(/[?#]/g, encodeURIComponent);
  return bare + queryKey(query);
}

export function withRedirects(text: string, pages: readonly Redirect[]): string {
  const whole = (from: string) => {
    const { path, query } = partsOf(from);
    const key = keyOf(path);
    return key === undefined ? undefined : key + queryKey(query);
  };
  const known = new Set(parseRedirects(text).pages.map(({ from }) => whole(from)));
  const lines = pages.flatMap(({ from, to }) => {
    const key = whole(from);
    if (key === undefined || known.has(key) || (!key.includes('?') && isOwn(key, to))) return [];
    known.add(key);
    return [`${encoded(from)} ${to}\n`];
  });
  if (lines.length === 0) return text;
  const before = text === '' ? HEADING : text.endsWith('\n') ? text : `${text}\n`;
  return before + lines.join('');
}

/** Returns true if `key` is the address of `to` itself, or of a page of the site that is not a post. */
function isOwn(key: string, to: string): boolean {
  const address = canonical(encodeURI(key));
  if (address === undefined) return false;
  const page = 'page' in address ? address.page : 'redirect' in address ? address.redirect : to;
  // The address of another post is allowed, because the server redirects only if no post is there.
  return page === to || postSlugOf(page) === undefined;
}

export const readRedirects = (file: string): Promise<Redirect[]> =>
  readFile(file, 'utf8').then(
    (text) => parseRedirects(text).pages,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)),
  );

/** Returns the target of an address. `isByQuery` limits the search to lines with a query. */
type Table = (address: string, isByQuery?: boolean) => string | undefined;

function tableOf(pages: readonly Redirect[]): Table {
  const targets = new Map<string, string>();
  /** For each path, the sets of query parameter names that its lines use. */
  const asked = new Map<string, readonly string[][]>();
  for (const { from, to } of pages) {
    const { path, query } = partsOf(from);
    const key = keyOf(path) ?? '';
    const whole = key + queryKey(query);
    if (!targets.has(whole)) targets.set(whole, to);
    const names = [...new Set(query.keys())].sort();
    const others = asked.get(key) ?? [];
    if (names.length > 0 && !others.some((other) => other.join('&') === names.join('&')))
      asked.set(key, [...others, names]);
  }
  function byQuery(key: string, query: URLSearchParams): string | undefined {
    for (const names of asked.get(key) ?? []) {
      if (!names.every((name) => query.has(name))) continue;
      const target = targets.get(key + queryKey(query, names));
      if (target !== undefined) return target;
    }
    return undefined;
  }
  return (address, isByQuery = false) => {
    const { path, query } = partsOf(address);
    const key = keyOf(path);
    if (key === undefined) return undefined;
    return byQuery(key, query) ?? (isByQuery ? undefined : targets.get(key));
  };
}

interface Trail {
  /** Addresses of this site, in order. */
  readonly passed: readonly string[];
  readonly end: 'here' | 'elsewhere' | 'loop';
}

/** Follows redirects from `target` on. */
function trailFrom(target: string, table: Table, siteUrl: string): Trail {
  const passed = new Set<string>();
  const { origin } = new URL(siteUrl);
  for (let next: string | undefined = target; next !== undefined; ) {
    const url: URL | null = URL.parse(next, siteUrl);
    if (url?.origin !== origin) return { passed: [...passed], end: 'elsewhere' };
    const own = url.pathname + url.search;
    if (passed.has(own)) return { passed: [...passed], end: 'loop' };
    passed.add(own);
    next = table(own);
  }
  return { passed: [...passed], end: 'here' };
}

/** Returns the slug of the post or page at this address, which need not be canonical; undefined for other addresses. */
function slugAt(own: string): string | undefined {
  const address = canonical(own);
  if (!address || 'refused' in address) return undefined;
  return slugOf(partsOf('page' in address ? address.page : address.redirect).path);
}

/** Returns the slugs of which one must be published for a redirect to be followed; undefined if it always is. */
function slugsNeeded({ passed, end }: Trail): string[] | undefined {
  const isFree = end === 'elsewhere' || (end === 'here' && slugAt(passed.at(-1) ?? '') === undefined);
  return isFree ? undefined : passed.flatMap((address) => slugAt(address) ?? []);
}

/**
 * Returns `pages` without redirects that lead into a loop, or to a post or page that is not published. A `from` must not
 * be the address of a page of this site.
 */
export function withoutDeadEnds(
  pages: readonly Redirect[],
  siteUrl: string,
  isPublished: (slug: string) => boolean,
): Redirect[] {
  const table = tableOf(pages);
  return pages.filter(({ to }) => {
    const trail = trailFrom(to, table, siteUrl);
    return trail.end !== 'loop' && (slugsNeeded(trail)?.some(isPublished) ?? true);
  });
}

export interface RedirectsOptions {
  readonly siteUrl: string;
  /** Rejects if the backend does not respond. */
  readonly isPublished: (slug: string) => Promise<boolean>;
  readonly warn: (sentence: string) => void;
}

/** Opens the redirects in `file`. Reads it at first use, and again whenever it has changed. */
export function openRedirects(file: string, { siteUrl, isPublished, warn }: RedirectsOptions): Redirects {
  let table = tableOf([]);
  let version = '';
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let complained = false;
  async function refresh(): Promise<void> {
    if (performance.now() - refreshedAt < REFRESH_INTERVAL_MS) return;
    refreshedAt = performance.now();
    const found = await stat(file).catch(() => undefined);
    const present = found ? `${found.mtimeMs} ${found.size}` : '';
    if (present === version) return;
    const { pages, faults } = parseRedirects(found ? await readFile(file, 'utf8') : '');
    version = present;
    table = tableOf(pages);
    complained = false;
    for (const fault of faults.slice(0, 5)) warn(`${file}: ${fault}.`);
  }
  const refreshed = () => refresh().catch((error: unknown) => warn(`${file} could not be read: ${String(error)}`));

  /** Returns the target unless it leads into a loop or to an unpublished post. A loop may contain a published post. */
  async function ending(target: string | undefined): Promise<string | undefined> {
    if (target === undefined) return undefined;
    const trail = trailFrom(target, table, siteUrl);
    const isLoop = trail.end === 'loop';
    const slugs = slugsNeeded(trail);
    if (!slugs) return target;
    for (const slug of slugs) {
      // If the backend does not respond, treats a post as published, but as unpublished in a loop.
      if (await isPublished(slug).catch(() => !isLoop)) return target;
    }
    if (isLoop && !complained) warn(`${file}: ${trail.passed.slice(0, 5).join(', ')} lead in a circle and to no page.`);
    complained ||= isLoop;
    return undefined;
  }

  const lookUp = (isByQuery: boolean) => async (address: string) => {
    await refreshed();
    return ending(table(address, isByQuery));
  };
  return { targetOf: lookUp(false), targetOfQuery: lookUp(true) };
}
