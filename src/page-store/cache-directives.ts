/** What a rendered response says about being kept: for how long, under which tags, with which headers. */

/** How the cache provider hands a page's wishes to the store. They never leave the process. */
const TTL_HEADER = 'x-page-ttl';
const TAGS_HEADER = 'x-page-tags';

export interface CacheDirectives {
  /** Seconds until the page is rendered again although nothing was said to have changed. */
  readonly maxAge: number;
  readonly tags: readonly string[];
}

/** Why a 200 that asked to be kept is not. */
export interface Refusal {
  readonly refused: string;
}

/**
 * Undefined for everything that did not ask (`Astro.cache.set` with a `maxAge`) or is no 200. A page that sets a
 * cookie or depends on more than its address is some visitor's own and is refused.
 */
export function cacheDirectivesOf(response: Response): CacheDirectives | Refusal | undefined {
  const maxAge = Number(response.headers.get(TTL_HEADER) ?? 0);
  if (response.status !== 200 || !(maxAge > 0)) return undefined;
  if (response.headers.has('set-cookie')) return { refused: 'it sets a cookie' };
  const vary = (response.headers.get('vary') ?? '').toLowerCase();
  const foreign = vary.split(',').find((name) => !['', 'accept-encoding'].includes(name.trim()));
  if (foreign) return { refused: `it varies by ${foreign.trim()}` };
  if (response.headers.has('content-encoding')) return { refused: 'it is compressed already' };
  const tags = (response.headers.get(TAGS_HEADER) ?? '').split(' ').filter(Boolean).map(decodeURIComponent);
  return { maxAge, tags: [...new Set(tags)].sort() };
}

/** The headers that carry the directives. */
export function cacheDirectiveHeaders(directives: Partial<CacheDirectives>): Headers {
  const headers = new Headers();
  if (directives.maxAge !== undefined) headers.set(TTL_HEADER, String(directives.maxAge));
  if (directives.tags?.length) headers.set(TAGS_HEADER, directives.tags.map(encodeURIComponent).join(' '));
  return headers;
}

/** Set by the store itself, meant for one connection only, or ours alone. */
const NOT_KEPT = new Set([
  TTL_HEADER,
  TAGS_HEADER,
  'age',
  'cache-control',
  'cache-tag',
  'cdn-cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'pragma',
  'server-timing',
  'set-cookie',
  'surrogate-control',
  'surrogate-key',
  'transfer-encoding',
  'vary',
  'x-page',
]);

/** The page's own headers (Content-Type, Content-Security-Policy, Link …), flat: name, value, name, value. */
export function ownHeaders(headers: Headers): string[] {
  const own: string[] = [];
  for (const [name, value] of headers) if (!NOT_KEPT.has(name)) own.push(titled(name), value);
  return own;
}

/** `content-type` → `Content-Type`, as every other server writes it. */
function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
