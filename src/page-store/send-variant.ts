import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '@common-ink/http/conditional.ts';
import type { Variant } from './repository/stored-page.ts';
import { labelled, type PageLabel, showAge } from './variant.ts';

/** Counts a read and updates the age in the headers. `now` is Unix time in seconds. */
export function refreshAge(variant: Variant, now: number): void {
  const { page } = variant;
  page.touchedAt = now;
  page.hits++;
  const age = ageOf(variant, now);
  if (age !== variant.age) showAge(variant, age);
}

/** Sends 200, or 304 for a matching validator. `now` is Unix time in seconds. */
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

/** Sends a page that was just rendered or is stale, like `sendHit`. */
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

function ageOf({ page }: Variant, now: number): number {
  return Math.max(0, now - page.checkedAt);
}

function isNotModified(request: IncomingMessage, { etag }: Variant): boolean {
  const condition = request.headers['if-none-match'];
  return condition !== undefined && matchesIfNoneMatch(condition, etag);
}
