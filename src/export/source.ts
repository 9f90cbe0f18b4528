/** The running site as the export reads it: pages in their three codings, exactly as readers get them. */
import { once } from 'node:events';
import { Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Bodies } from '@common-ink/http/compression.ts';
import { compress } from '@common-ink/http/compression.ts';
import type { Encoding } from '@common-ink/http/encoding.ts';
import { OperatorError } from '#blog/errors.ts';

export interface PageResponse {
  /** 304 where the page still is what the validator says. */
  readonly status: number;
  /** The server could not render it anew and sent what it had. */
  readonly isStale: boolean;
  /** The server had it ready. */
  readonly isHit: boolean;
}

export interface Page extends PageResponse {
  readonly bodies: Bodies;
  readonly etag: string | undefined;
  /** What a host has to send with it: name, value, name, value. */
  readonly headers: readonly string[];
}

export interface Source {
  /** A page of the store, asked for by a conditional request where its validator is given; a `Page` where it is 200. */
  page(path: string, etag?: string): Promise<Page | PageResponse>;
  /** Anything else: the islands' pages, error pages, pictures. */
  file(path: string): Promise<{ readonly status: number; readonly body: Buffer; readonly headers: readonly string[] }>;
  close(): void;
}

/** What belongs to one answer, one connection or the server itself, or is said of all (`security-headers.ts`). */
const NOT_EXPORTED = new Set([
  'accept-ranges',
  'age',
  'cache-tag',
  'cdn-cache-control',
  'cdn-tag',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'referrer-policy',
  'server',
  'server-timing',
  'strict-transport-security',
  'surrogate-key',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-page',
  'x-request-id',
]);
/** The coding whose validator stands for a page: what the server holds in memory for browsers, which ask for it. */
const VALIDATED = 'br';
const ATTEMPTS = 5;
/** Milliseconds. */
const TIMEOUT = 60_000;

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * @param origin where the server answers, e.g. `http://127.0.0.1:4321`
 * @param connections that are open at the same time
 */
export function createSource(origin: string, connections: number): Source {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  // The platform's fetch decompresses what it reads; a host gets the bytes that the site sent.
  async function ask(path: string, headers: Record<string, string> = {}): Promise<RawResponse> {
    const request = get(`${origin}${path}`, { agent, headers, signal: AbortSignal.timeout(TIMEOUT) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
  }

  /** Again where the server is busy. @throws Error when it stays so. */
  async function insist(path: string, headers?: Record<string, string>): Promise<RawResponse> {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(path, headers);
      if (answer.status < 500 && answer.status !== 429) return answer;
      if (attempt === ATTEMPTS) throw new OperatorError(`The site answered ${path} with ${answer.status}.`);
      await sleep(Math.min(Number(answer.headers['retry-after']) || attempt, 10) * 1000);
    }
  }

  const coded = async (path: string, encoding: Encoding) => (await insist(path, { 'accept-encoding': encoding })).body;

  return {
    async page(path, etag) {
      // Between three requests a page may change: then they are asked again.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const condition = etag && { 'if-none-match': etag };
        const { status, headers, body } = await insist(path, { 'accept-encoding': VALIDATED, ...condition });
        const state = String(headers['x-page']);
        const [isStale, isHit] = [state.startsWith('stale'), state.startsWith('hit')];
        if (status !== 200) return { status, isStale, isHit };
        const isStored = headers['x-page'] !== undefined;
        const identity = await coded(path, 'identity');
        const bodies = isStored ? { identity, br: body, gzip: await coded(path, 'gzip') } : await compress(identity);
        if (!isStored || areOne(bodies)) {
          return { status, bodies, etag: headers.etag, headers: lasting(headers), isStale, isHit };
        }
      }
      throw new Error(`${path} changes faster than it can be exported.`);
    },
    async file(path) {
      const { status, headers, body } = await insist(path);
      return { status, body, headers: lasting(headers) };
    },
    close: () => agent.destroy(),
  };
}

function areOne({ identity, br, gzip }: Bodies): boolean {
  try {
    return brotliDecompressSync(br).equals(identity) && gunzipSync(gzip).equals(identity);
  } catch {
    return false;
  }
}

function lasting(headers: IncomingHttpHeaders): string[] {
  const names = Object.keys(headers)
    .filter((name) => !NOT_EXPORTED.has(name))
    .sort();
  return names.flatMap((name) => [titled(name), String(headers[name])]);
}

const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
