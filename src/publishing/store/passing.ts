/** Answers that are not kept: 404, redirects, errors, pages that did not ask to be stored. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type Encoding, negotiate } from './encoding.ts';
import { ownHeaders } from './keeping.ts';
import { serverTiming } from './resident.ts';

export interface Passing {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: Buffer;
  /** Made for whoever is the first to like them; many may wait for the same page that is not there. */
  readonly packed: Map<Encoding, Promise<Buffer>>;
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
/** Somebody waits for it: of 27 KB, 0.3 ms for three quarters less. */
const PARAMS = { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT };
/** What fits into one packet as it is. */
const SMALL = 1024;

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
  return { status: response.status, head, body, packed: new Map() };
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
  ];
  return { status: 503, head, body, packed: new Map() };
}

export function sendPassing(request: IncomingMessage, response: ServerResponse, passing: Passing): void {
  const { status, head, body } = passing;
  if (isBodiless(status)) return void response.writeHead(status, [...head]).end();
  const coding = body.length > SMALL && isHtml(head) ? negotiate(request.headers['accept-encoding']) : 'identity';
  const send = (bytes: Buffer, ...more: readonly string[]) =>
    response.writeHead(status, [...head, ...more, 'Content-Length', String(bytes.length)]).end(bytes);
  if (coding === 'identity') return void send(body, 'Vary', 'Accept-Encoding');
  packed(passing, coding).then(
    (bytes) => send(bytes, 'Content-Encoding', coding, 'Vary', 'Accept-Encoding'),
    () => send(body, 'Vary', 'Accept-Encoding'),
  );
}

function packed({ body, packed }: Passing, coding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const made = packed.get(coding) ?? (coding === 'br' ? brotli(body, { params: PARAMS }) : deflate(body));
  packed.set(coding, made);
  return made;
}

const isHtml = (head: readonly string[]): boolean =>
  head.some((value, at) => value === 'Content-Type' && head[at + 1]?.startsWith('text/html'));

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}
