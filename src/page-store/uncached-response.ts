/** Sends responses that are not stored: 404s, redirects, errors and pages without cache directives. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compressOnce } from '@common-ink/http/compression.ts';
import { type Encoding, negotiate } from '@common-ink/http/encoding.ts';
import { ownHeaders } from './cache-directives.ts';
import { serverTiming } from './variant.ts';

export interface UncachedResponse {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: Buffer;
  /** Compressed bodies. They are cached because many clients may wait for the same 404. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

/** Smaller bodies are not compressed, because they fit into one packet. */
const SMALL_BYTES = 1024;

const RETRY_SECONDS = 5;

/**
 * Builds one response that is sent, without cookies, to all waiting readers. It has `no-store`, because a missing page
 * may appear later.
 */
export function uncachedResponse(response: Response, body: Buffer, milliseconds: number): UncachedResponse {
  const head = [
    ...pairs({
      'X-Page': 'rendered; age=0',
      'Server-Timing': serverTiming('rendered', milliseconds),
      'Cache-Control': 'no-store',
    }),
    ...ownHeaders(response.headers),
  ];
  if (response.status === 503 && !response.headers.has('retry-after')) head.push('Retry-After', String(RETRY_SECONDS));
  return { status: response.status, head, body, compressed: new Map() };
}

export function unavailable(sentence: string): UncachedResponse {
  const body = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Not available</title><h1>This page is not available just now</h1><p>Error: ${sentence}</p>` +
      `<p><a href="">Retry</a></p></html>`,
  );
  const head = pairs({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
    'Retry-After': `${RETRY_SECONDS}`,
  });
  return { status: 503, head, body, compressed: new Map() };
}

export function sendUncached(request: IncomingMessage, response: ServerResponse, uncached: UncachedResponse): void {
  const { status, head, body } = uncached;
  if (status === 204 || status === 304) return void response.writeHead(status, [...head]).end();
  const coding = body.length > SMALL_BYTES && isHtml(head) ? negotiate(request.headers['accept-encoding']) : 'identity';
  const send = (bytes: Buffer, ...more: readonly string[]) =>
    response.writeHead(status, [...head, ...more, 'Content-Length', String(bytes.length)]).end(bytes);
  if (coding === 'identity') return void send(body, 'Vary', 'Accept-Encoding');
  compressed(uncached, coding).then(
    (bytes) => send(bytes, 'Content-Encoding', coding, 'Vary', 'Accept-Encoding'),
    () => send(body, 'Vary', 'Accept-Encoding'),
  );
}

function compressed({ body, compressed: made }: UncachedResponse, encoding: Encoding): Promise<Buffer> {
  const bytes = made.get(encoding) ?? compressOnce(encoding, body);
  made.set(encoding, bytes);
  return bytes;
}

const isHtml = (head: readonly string[]): boolean =>
  head.some((value, at) => value === 'Content-Type' && head[at + 1]?.startsWith('text/html'));

const pairs = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat();
