/** The running site as the export reads it: pages in their three codings, exactly as readers get them. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Bodies } from '../store/bodies.ts';
import { compress } from '../store/bodies.ts';
import type { Encoding } from '../store/encoding.ts';

export interface Page {
  readonly status: number;
  readonly bodies: Bodies;
  readonly etag: string | undefined;
  /** What a host has to send with it: name, value, name, value. */
  readonly headers: readonly string[];
  /** The server could not render it anew and sent what it had. */
  readonly isStale: boolean;
}

export interface TextPage extends Pick<Page, 'status' | 'etag' | 'isStale'> {
  readonly text: string;
}

export interface Source {
  /** A page of the store; 'same' when it still is what `etag` says, 'behind' when it is and the server knows of a newer one. */
  page(path: string, etag?: string): Promise<Page | 'same' | 'behind'>;
  /** The same, as it is and its text alone. */
  text(path: string, etag?: string): Promise<TextPage | 'same' | 'behind'>;
  /** Anything else: the islands' pages, error pages, pictures. */
  file(path: string): Promise<{ readonly status: number; readonly body: Buffer; readonly headers: readonly string[] }>;
  close(): void;
}

/** What belongs to one answer, one connection or the server itself. */
const PASSING = new Set([
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
  'server',
  'server-timing',
  'surrogate-key',
  'transfer-encoding',
  'vary',
  'x-page',
]);
const ATTEMPTS = 5;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @param origin where the server answers, e.g. `http://127.0.0.1:4321` */
export function createSource(origin: string, connections: number): Source {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(origin);

  function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        { agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, headers, timeout: 60_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          );
        },
      );
      asked.on('timeout', () => asked.destroy(new Error(`${path} took longer than a minute.`)));
      asked.on('error', reject);
      asked.end();
    });
  }

  /** Again where the server is busy. @throws Error when it stays so. */
  async function insist(path: string, headers?: Record<string, string>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(path, headers);
      if (answer.status < 500 && answer.status !== 429) return answer;
      if (attempt === ATTEMPTS) throw new Error(`The site answered ${path} with ${answer.status}.`);
      await sleep(Math.min(Number(answer.headers['retry-after']) || attempt, 10) * 1000);
    }
  }

  const coded = async (path: string, encoding: Encoding) => (await insist(path, { 'accept-encoding': encoding })).body;

  return {
    async page(path, etag) {
      // Between three requests a page may change: then they are asked again.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { status, headers, body } = await insist(path, etag ? { 'if-none-match': etag } : {});
        const isStale = isStaleBy(headers);
        if (status === 304) return isStale ? 'behind' : 'same';
        const isStored = headers['x-page'] !== undefined && status === 200;
        const bodies = isStored
          ? { identity: body, br: await coded(path, 'br'), gzip: await coded(path, 'gzip') }
          : await compress(body);
        if (!isStored || areOne(bodies)) {
          return { status, bodies, etag: headers.etag, headers: lasting(headers), isStale };
        }
      }
      throw new Error(`${path} changes faster than it can be exported.`);
    },
    async text(path, etag) {
      const { status, headers, body } = await insist(path, etag ? { 'if-none-match': etag } : {});
      const isStale = isStaleBy(headers);
      if (status === 304) return isStale ? 'behind' : 'same';
      return { status, text: body.toString(), etag: headers.etag, isStale };
    },
    async file(path) {
      const { status, headers, body } = await insist(path);
      return { status, body, headers: lasting(headers) };
    },
    close: () => agent.destroy(),
  };
}

const isStaleBy = (headers: IncomingHttpHeaders): boolean => String(headers['x-page']).startsWith('stale');

function areOne({ identity, br, gzip }: Bodies): boolean {
  try {
    return brotliDecompressSync(br).equals(identity) && gunzipSync(gzip).equals(identity);
  } catch {
    return false;
  }
}

function lasting(headers: IncomingHttpHeaders): string[] {
  const names = Object.keys(headers)
    .filter((name) => !PASSING.has(name))
    .sort();
  return names.flatMap((name) => [titled(name), String(headers[name])]);
}

const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
