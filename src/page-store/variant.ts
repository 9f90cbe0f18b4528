import type { Encoding } from '@common-ink/http/encoding.ts';
import { POSTS, SITE } from '#blog/routes/tags.ts';
import type { StoredPage, Variant } from './repository/stored-page.ts';

export type PageLabel = 'hit' | 'stale' | 'rendered';

export interface EdgePolicy {
  /** Seconds; 0 if the CDN is not purged and revalidates each time. */
  readonly maxAge: number;
  readonly tagHeaders: readonly string[];
  /** For CDNs that do not read `CDN-Cache-Control`: a header, or `s-maxage` in `Cache-Control`. */
  readonly control?: 'Surrogate-Control' | 's-maxage' | undefined;
}

const BROWSER_POLICY = 'public, max-age=0, must-revalidate';

const PAGE_STATE = 1;
const HIT_TIMING = 3;

export function variantOf(page: StoredPage, encoding: Encoding, body: Buffer, edge: EdgePolicy): Variant {
  const etag = page.etag(encoding);
  const common = [
    'X-Page',
    '',
    'Server-Timing',
    'page;desc="hit"',
    'Cache-Control',
    edge.control === 's-maxage' ? `${BROWSER_POLICY}, s-maxage=${edge.maxAge}` : BROWSER_POLICY,
    'CDN-Cache-Control',
    edgeControl(edge.maxAge),
    ...(edge.control === 'Surrogate-Control' ? [edge.control, edgeControl(edge.maxAge)] : []),
    ...edgeTags(page.tags, edge.tagHeaders),
    'Vary',
    'Accept-Encoding',
    'ETag',
    etag,
  ];
  const head = [...common, ...page.headers.pairs];
  if (encoding !== 'identity') head.push('Content-Encoding', encoding);
  head.push('Content-Length', String(body.length));
  return { page, encoding, body, etag, head, notModified: common, age: -1 };
}

/** Writes the age (seconds since the last render) into both header arrays. */
export function showAge(variant: Variant, age: number): void {
  variant.age = age;
  const state = `hit; age=${age}`;
  variant.head[PAGE_STATE] = state;
  variant.notModified[PAGE_STATE] = state;
}

/** Returns the headers of a response that is not a plain hit. A CDN may not keep a stale page: its purge may be over. */
export function labelled(head: readonly string[], label: PageLabel, age: number, milliseconds?: number): string[] {
  const copy = [...head];
  copy[PAGE_STATE] = `${label}; age=${age}`;
  copy[HIT_TIMING] = serverTiming(label, milliseconds);
  if (label === 'stale') forOneReader(copy);
  return copy;
}

function forOneReader(head: string[]): void {
  for (let at = 0; at < head.length; at += 2) {
    if (head[at] === 'Cache-Control') head[at + 1] = BROWSER_POLICY;
    else if (head[at] === 'CDN-Cache-Control' || head[at] === 'Surrogate-Control') head[at + 1] = edgeControl(0);
  }
}

export function serverTiming(label: PageLabel, milliseconds?: number): string {
  const duration = milliseconds === undefined ? '' : `, render;dur=${milliseconds.toFixed(1)}`;
  return `page;desc="${label}"${duration}`;
}

/** A page may be shown for a minute while the CDN revalidates, and for a week while this server does not answer. */
function edgeControl(maxAge: number): string {
  return maxAge > 0
    ? `public, max-age=${maxAge}, stale-while-revalidate=60, stale-if-error=604800`
    : 'public, max-age=0, must-revalidate';
}

/** Omits a list's `post:` tags: each write purges `posts` as well, and CDNs limit the header's length. */
function edgeTags(tags: readonly string[], names: readonly string[]): string[] {
  const shown = [SITE, ...(tags.includes(POSTS) ? tags.filter((tag) => !tag.startsWith('post:')) : tags)];
  return names.flatMap((name) => [name, shown.join(name === 'Surrogate-Key' ? ' ' : ',')]);
}
