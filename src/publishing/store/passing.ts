/** Answers that are not kept: 404, redirects, errors, pages that did not ask to be stored. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownHeaders } from './keeping.ts';
import { serverTiming } from './resident.ts';

export interface Passing {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: Buffer;
}

const RETRY_SECONDS = 5;

/**
 * A rendered response as it goes to everybody who waited for it. No cookie passes: it would be one cookie for all.
 * Nothing keeps it: what is missing today may be published tomorrow.
 */
export function passingOf(response: Response, body: Buffer, milliseconds: number): Passing {
  const head = [
    'X-Page',
    'rendered; age=0',
    'Server-Timing',
    serverTiming('rendered', milliseconds),
    'Cache-Control',
    'no-store',
    ...ownHeaders(response.headers),
  ];
  if (response.status === 503 && !response.headers.has('retry-after')) head.push('Retry-After', String(RETRY_SECONDS));
  if (!isBodiless(response.status)) head.push('Content-Length', String(body.length));
  return { status: response.status, head, body };
}

/** For when there is no stored page and the renderer has no answer of its own. */
export function unavailable(sentence: string): Passing {
  const body = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Not available</title><h1>This page is not available just now</h1><p>Error: ${sentence}</p>` +
      `<p><a href="">Retry</a></p></html>`,
  );
  const head = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Security-Policy',
    "default-src 'none'",
    'Cache-Control',
    'no-store',
    'Retry-After',
    String(RETRY_SECONDS),
    'Content-Length',
    String(body.length),
  ];
  return { status: 503, head, body };
}

export function sendPassing(_request: IncomingMessage, response: ServerResponse, passing: Passing): void {
  response.writeHead(passing.status, [...passing.head]);
  if (isBodiless(passing.status)) response.end();
  else response.end(passing.body);
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}
