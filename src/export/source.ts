import { once } from 'node:events';
import { Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Bodies, compress } from '@common-ink/http/compression.ts';
import type { Encoding } from '@common-ink/http/encoding.ts';
import { OperatorError } from '#blog/errors.ts';

export interface PageResponse {
  readonly status: number;
  /** True if the server could not render the page and sent the old one. */
  readonly isStale: boolean;
}

export interface Page extends PageResponse {
  readonly bodies: Bodies;
  readonly etag: string | undefined;
  /** Headers for the host to send, as a list of alternating names and values. */
  readonly headers: readonly string[];
}

export interface Source {
  page(path: string, etag?: string): Promise<Page | PageResponse>;
  file(path: string): Promise<{ readonly status: number; readonly body: Buffer; readonly headers: readonly string[] }>;
  close(): void;
}

/** Headers that describe one response, connection or server, and those that `security-headers.ts` adds to all pages. */
const NOT_EXPORTED = new Set(
  'accept-ranges age cache-tag cdn-cache-control cdn-tag connection content-encoding content-length date etag keep-alive last-modified referrer-policy server server-timing strict-transport-security surrogate-key transfer-encoding vary x-content-type-options x-page x-request-id'.split(
    ' ',
  ),
);
const VALIDATED = 'br';
const ATTEMPTS = 5;
const TIMEOUT = 60_000;

/** Reads from the server at `origin`, e.g. `http://127.0.0.1:4321`, with at most `connections` at a time. */
export function createSource(origin: string, connections: number): Source {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  // Does not use `fetch`, because it would decompress the bytes, which the host needs compressed.
  async function ask(path: string, headers: Record<string, string> = {}) {
    const request = get(`${origin}${path}`, { agent, headers, signal: AbortSignal.timeout(TIMEOUT) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
  }

  /** Retries a request while the server responds with 429 or 5xx. @throws OperatorError after the last attempt */
  async function insist(path: string, headers?: Record<string, string>): ReturnType<typeof ask> {
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
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const condition = etag && { 'if-none-match': etag };
        const { status, headers, body } = await insist(path, { 'accept-encoding': VALIDATED, ...condition });
        const isStale = String(headers['x-page']).startsWith('stale');
        if (status !== 200) return { status, isStale };
        const isStored = headers['x-page'] !== undefined;
        const identity = await coded(path, 'identity');
        const bodies = isStored ? { identity, br: body, gzip: await coded(path, 'gzip') } : await compress(identity);
        if (!isStored || areOne(bodies)) {
          return { status, bodies, etag: headers.etag, headers: lasting(headers), isStale };
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
