/** Sends a stored page: 200 with its bytes, or 304 for a matching validator. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '@common-ink/http/conditional.ts';
import type { Variant } from './repository/stored-page.ts';
import { labelled, type PageLabel, showAge } from './variant.ts';

/** Brings the age in a variant's headers up to date and counts a read. `now` in seconds since 1970. */
export function refreshAge(variant: Variant, now: number): void {
  const { page } = variant;
  page.touchedAt = now;
  page.hits++;
  const age = ageOf(variant, now);
  if (age !== variant.age) showAge(variant, age);
}

/** The whole work of a hit: the headers are ready, but for the page's age. `now` in seconds since 1970. */
export function sendHit(request: IncomingMessage, response: ServerResponse, variant: Variant, now: number): void {
  refreshAge(variant, now);
  if (isNotModified(request, variant)) {
    response.writeHead(304, variant.notModified);
    response.end();
  } else {
    response.writeHead(200, variant.head);
    response.end(variant.body);
  }
}

/** The same for a page that was rendered just now, or is older than the site. */
export function sendLabelled(
  request: IncomingMessage,
  response: ServerResponse,
  variant: Variant,
  label: Exclude<PageLabel, 'hit'>,
  now: number,
): void {
  const { page } = variant;
  page.touchedAt = now;
  page.hits++;
  const duration = label === 'rendered' ? page.renderTime : undefined;
  const headers = (head: readonly string[]) => labelled(head, label, ageOf(variant, now), duration);
  if (isNotModified(request, variant)) {
    response.writeHead(304, headers(variant.notModified));
    response.end();
  } else {
    response.writeHead(200, headers(variant.head));
    response.end(variant.body);
  }
}

/** Whole seconds since the page was last rendered. */
function ageOf({ page }: Variant, now: number): number {
  return Math.max(0, now - page.checkedAt);
}

function isNotModified(request: IncomingMessage, { etag }: Variant): boolean {
  const condition = request.headers['if-none-match'];
  return condition !== undefined && matchesIfNoneMatch(condition, etag);
}
