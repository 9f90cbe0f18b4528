/** Sends a stored page: 200 with its bytes, or 304 to whoever holds them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { holdsAlready } from './conditional.ts';
import { type Held, labelled, type PageLabel, type Resident, showAge } from './resident.ts';

/** The whole work of a hit: the headers are ready, but for the page's age. `now` in seconds since 1970. */
export function sendHit(request: IncomingMessage, response: ServerResponse, resident: Held, now: number): void {
  const { entry } = resident;
  entry.touchedAt = now;
  entry.hits++;
  const age = ageOf(resident, now);
  if (age !== resident.age) showAge(resident, age);
  if (isHeld(request, resident)) {
    response.writeHead(304, resident.notModified);
    response.end();
  } else {
    response.writeHead(200, resident.head);
    response.end(resident.body);
  }
}

/** The same for a page that was rendered just now, or is older than the site. */
export function sendLabelled(
  request: IncomingMessage,
  response: ServerResponse,
  resident: Resident,
  label: Exclude<PageLabel, 'hit'>,
  now: number,
): void {
  const { entry } = resident;
  entry.touchedAt = now;
  entry.hits++;
  const age = ageOf(resident, now);
  const duration = label === 'rendered' ? entry.renderTime / 10 : undefined;
  if (isHeld(request, resident)) {
    response.writeHead(304, labelled(resident.notModified, label, age, duration));
    response.end();
  } else {
    response.writeHead(200, labelled(resident.head, label, age, duration));
    response.end(resident.body);
  }
}

/** Whole seconds since the page was last rendered. */
function ageOf({ entry }: Held, now: number): number {
  return Math.max(0, now - entry.checkedAt);
}

function isHeld(request: IncomingMessage, { etag }: Held): boolean {
  const condition = request.headers['if-none-match'];
  return condition !== undefined && holdsAlready(condition, etag);
}
