/** Internal headers by which the cache provider passes directives to the store. No client sees them. */
const TTL_HEADER = 'x-page-ttl';
const TAGS_HEADER = 'x-page-tags';

export interface CacheDirectives {
  /** Seconds until the page expires. */
  readonly maxAge: number;
  readonly tags: readonly string[];
}

/**
 * Returns the page's directives, or the reason why the page must not be stored. Returns undefined if it has no
 * directives or its status is not 200.
 */
export function cacheDirectivesOf(response: Response): CacheDirectives | { readonly refused: string } | undefined {
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

export function cacheDirectiveHeaders(directives: Partial<CacheDirectives>): Headers {
  const headers = new Headers();
  if (directives.maxAge !== undefined) headers.set(TTL_HEADER, String(directives.maxAge));
  if (directives.tags?.length) headers.set(TAGS_HEADER, directives.tags.map(encodeURIComponent).join(' '));
  return headers;
}

/** Headers that are not stored: those that the store sets itself, hop-by-hop headers and internal ones. */
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

/** Returns the headers to store, as a list of alternating names and values. */
export function ownHeaders(headers: Headers): string[] {
  const own: string[] = [];
  for (const [name, value] of headers) if (!NOT_KEPT.has(name)) own.push(titled(name), value);
  return own;
}

function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
