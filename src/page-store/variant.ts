import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '@common-ink/http/conditional.ts';
import type { Encoding } from '@common-ink/http/encoding.ts';
import { POSTS, SITE } from '#blog/routes/tags.ts';
import type { StoredPage, Variant } from './repository/stored-page.ts';

export type PageLabel = 'hit' | 'stale' | 'rendered';

export interface EdgePolicy {
  /** Seconds for which a CDN may cache a page; 0 if the CDN is not purged and must therefore revalidate each time. */
  readonly maxAge: number;
  readonly tagHeaders: readonly string[];
  /** The header, or the `Cache-Control` directive, that CDNs read if they ignore `CDN-Cache-Control`. */
  readonly control?: 'Surrogate-Control' | 's-maxage' | undefined;
}

const BROWSER_POLICY = 'public, max-age=0, must-revalidate';

const PAGE_STATE = 1;
const HIT_TIMING = 3;

export function variantOf(page: StoredPage, encoding: Encoding, body: Buffer, edge: EdgePolicy): Variant {
  const etag = page.etag(encoding);
  const common = Object.entries({
    'X-Page': '',
    'Server-Timing': 'page;desc="hit"',
    'Cache-Control': edge.control === 's-maxage' ? `${BROWSER_POLICY}, s-maxage=${edge.maxAge}` : BROWSER_POLICY,
    'CDN-Cache-Control': edgeControl(edge.maxAge),
    ...(edge.control === 'Surrogate-Control' && { [edge.control]: edgeControl(edge.maxAge) }),
    ...edgeTags(page.tags, edge.tagHeaders),
    Vary: 'Accept-Encoding',
    ETag: etag,
  }).flat();
  const head = [...common, ...page.headers.pairs];
  if (encoding !== 'identity') head.push('Content-Encoding', encoding);
  head.push('Content-Length', String(body.length));
  return { page, encoding, body, etag, head, notModified: common, age: -1 };
}

/** Counts a read and updates the age in the headers. `now` is Unix time in seconds. */
export function refreshAge(variant: Variant, now: number): void {
  const { page } = variant;
  page.touchedAt = now;
  page.hits++;
  const age = Math.max(0, now - page.checkedAt);
  if (age === variant.age) return;
  variant.age = age;
  for (const head of [variant.head, variant.notModified]) head[PAGE_STATE] = `hit; age=${age}`;
}

/** Sends 200, or 304 for a matching validator. `now` is Unix time in seconds. */
export function sendVariant(
  request: IncomingMessage,
  response: ServerResponse,
  variant: Variant,
  label: PageLabel,
  now: number,
): void {
  refreshAge(variant, now);
  const isHeld = matchesIfNoneMatch(request.headers['if-none-match'] ?? '', variant.etag);
  const head = isHeld ? variant.notModified : variant.head;
  response.writeHead(isHeld ? 304 : 200, label === 'hit' ? head : labelled(head, label, variant));
  response.end(isHeld ? undefined : variant.body);
}

/**
 * Returns the headers for a response that is not a hit. CDNs must not cache a stale page, because they may already have
 * been purged for the change that made it stale.
 */
function labelled(head: readonly string[], label: PageLabel, { page, age }: Variant): string[] {
  const copy = [...head];
  copy[PAGE_STATE] = `${label}; age=${age}`;
  copy[HIT_TIMING] = serverTiming(label, label === 'rendered' ? page.renderTime : undefined);
  if (label === 'rendered') return copy;
  for (let at = 0; at < copy.length; at += 2) {
    if (copy[at] === 'Cache-Control') copy[at + 1] = BROWSER_POLICY;
    else if (copy[at] === 'CDN-Cache-Control' || copy[at] === 'Surrogate-Control') copy[at + 1] = edgeControl(0);
  }
  return copy;
}

export function serverTiming(label: PageLabel, milliseconds?: number): string {
  const duration = milliseconds === undefined ? '' : `, render;dur=${milliseconds.toFixed(1)}`;
  return `page;desc="${label}"${duration}`;
}

/** Lets a CDN serve a stale page for a minute while it revalidates, and for a week while this server is down. */
function edgeControl(maxAge: number): string {
  return maxAge > 0 ? `public, max-age=${maxAge}, stale-while-revalidate=60, stale-if-error=604800` : BROWSER_POLICY;
}

/** Returns the tag headers. Omits a list's `post:` tags: CDNs limit the header size, and each write purges `posts`. */
function edgeTags(tags: readonly string[], names: readonly string[]): Record<string, string> {
  const shown = [SITE, ...(tags.includes(POSTS) ? tags.filter((tag) => !tag.startsWith('post:')) : tags)];
  return Object.fromEntries(names.map((name) => [name, shown.join(name === 'Surrogate-Key' ? ' ' : ',')]));
}
