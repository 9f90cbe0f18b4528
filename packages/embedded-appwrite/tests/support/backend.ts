/** For tests: a backend on a folder of its own behind a real HTTP server, spoken to as clients do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedBackend, type EmbeddedBackend, type EmbeddedOptions } from '../../src/index.ts';

export const PROJECT = 'p1';
export const KEY = 'standard_key_of_the_tests';

/** For tests that are not about it: as little as argon2 takes. */
export const QUICK_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; empty when the body is none. */
  readonly body: Record<string, unknown>;
  /** The body as it came. */
  readonly text: string;
  /** What `Set-Cookie` asks a browser to send back, as a `Cookie` header. */
  readonly cookies: string;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** A `Cookie` header; the default is none. */
  readonly cookies?: string;
  readonly asKey?: boolean;
  readonly body?: unknown;
}

export interface TestBackend {
  readonly backend: EmbeddedBackend;
  readonly origin: string;
  readonly directory: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a request but for the last byte of its body, once the server has it; gives what sends that byte. */
  hold(method: string, path: string, options: RequestOptions): Promise<() => Promise<Reply>>;
  /** Signs a new user up and in. */
  signUp(email: string, password?: string): Promise<{ userId: string; cookies: string }>;
  stop(): Promise<void>;
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: json && text !== '' ? JSON.parse(text) : {},
    text,
    cookies: response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
}

/** Limits are off, passwords of six bytes pass and are hashed quickly unless `options` say otherwise. */
export async function startTestBackend(options: Partial<EmbeddedOptions> = {}): Promise<TestBackend> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'embedded-')));
  const backend = createEmbeddedBackend({
    directory,
    projectId: PROJECT,
    keys: [{ secret: KEY }],
    webOrigins: ['localhost'],
    rateLimits: false,
    passwordCost: QUICK_PASSWORDS,
    ...options,
  });
  const server = createServer((request, response) => backend.handle(request, response));
  server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function prepare({ headers, cookies, asKey, body }: RequestOptions) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      text,
      headers: {
        'x-appwrite-project': PROJECT,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookies === undefined ? {} : { cookie: cookies }),
        ...(asKey ? { 'x-appwrite-key': KEY } : {}),
        ...headers,
      },
    };
  }

  async function request(method: string, path: string, options: RequestOptions = {}) {
    const { text, headers } = prepare(options);
    return reply(await fetch(`${origin}/v1${path}`, { method, body: text, headers }));
  }

  function hold(method: string, path: string, options: RequestOptions): Promise<() => Promise<Reply>> {
    const { text = '', headers } = prepare(options);
    return new Promise((resolve, reject) => {
      const expecting = { ...headers, 'content-length': String(Buffer.byteLength(text)), expect: '100-continue' };
      const sent = rawRequest(`${origin}/v1${path}`, { method, headers: expecting, agent: false });
      const answered = new Promise<Reply>((answer) => {
        sent.on('response', async (response) => {
          const { statusCode: status = 0, headersDistinct } = response;
          const lines = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          const parts: Buffer[] = await response.toArray();
          answer(reply(new Response(status === 204 ? null : Buffer.concat(parts), { status, headers: lines })));
        });
      });
      sent.on('error', reject).on('continue', () => {
        sent.write(text.slice(0, -1));
        resolve(() => {
          sent.end(text.slice(-1));
          return answered;
        });
      });
      sent.flushHeaders();
    });
  }

  return {
    backend,
    origin,
    directory,
    request,
    hold,
    async signUp(email, password = 'correct horse') {
      const created = await request('POST', '/account', { body: { userId: 'unique()', email, password } });
      const session = await request('POST', '/account/sessions/email', { body: { email, password } });
      return { userId: String(created.body.$id), cookies: session.cookies };
    },
    async stop() {
      backend.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await backend.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
