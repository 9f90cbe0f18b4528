/** For tests: a backend on a folder of its own behind a real HTTP server, spoken to as clients do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackendEvent,
  createEmbeddedBackend,
  type EmbeddedBackend,
  type EmbeddedOptions,
} from '../../src/index.ts';

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
  readonly bytes: Buffer;
  /** What `Set-Cookie` asks a browser to send back, as a `Cookie` header. */
  readonly cookies: string;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** A `Cookie` header; the default is none. */
  readonly cookies?: string;
  /** A session's secret. */
  readonly session?: string | undefined;
  readonly asKey?: boolean;
  /** A form, a text, or what becomes JSON. */
  readonly body?: unknown;
}

export interface TestBackend {
  readonly backend: EmbeddedBackend;
  readonly origin: string;
  readonly directory: string;
  /** The events since the start. */
  readonly events: BackendEvent[];
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a request but for the last byte of its body, once the server has it; gives what sends that byte. */
  hold(method: string, path: string, options: RequestOptions): Promise<() => Promise<Reply>>;
  /** Signs a new user up and in. */
  signUp(email: string, password?: string): Promise<{ userId: string; cookies: string }>;
  /** Makes a user with the key, and returns the secret of a session. */
  user(userId: string): Promise<string>;
  /** Ends the backend and starts another one on the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function reply(response: Response): Promise<Reply> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = String(bytes);
  const json = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: json && text !== '' ? JSON.parse(text) : {},
    text,
    bytes,
    cookies: response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
}

/** Limits are off, passwords of six bytes pass and are hashed quickly unless `options` say otherwise. */
export async function startTestBackend(options: Partial<EmbeddedOptions> = {}): Promise<TestBackend> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'embedded-')));
  const events: BackendEvent[] = [];
  const open = () => {
    const opened = createEmbeddedBackend({
      directory,
      projectId: PROJECT,
      keys: [{ secret: KEY }],
      webOrigins: ['localhost'],
      rateLimits: false,
      passwordCost: QUICK_PASSWORDS,
      ...options,
    });
    opened.events.listen((event) => events.push(event));
    return opened;
  };
  let backend = open();
  const server = createServer((request, response) => backend.handle(request, response));
  server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function prepare({ headers = {}, cookies, session, asKey, body }: RequestOptions) {
    const text = typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body);
    return {
      text,
      headers: {
        'x-appwrite-project': PROJECT,
        ...(typeof text === 'string' && { 'content-type': 'application/json' }),
        ...(cookies !== undefined && { cookie: cookies }),
        ...(session !== undefined && { 'x-appwrite-session': session }),
        ...(asKey && { 'x-appwrite-key': KEY }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
    };
  }

  async function request(method: string, path: string, options: RequestOptions = {}) {
    const { text, headers } = prepare(options);
    return reply(await fetch(`${origin}/v1${path}`, { method, body: text, headers }));
  }

  function hold(method: string, path: string, options: RequestOptions): Promise<() => Promise<Reply>> {
    const { text: whole, headers } = prepare(options);
    const text = String(whole ?? '');
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
    get backend() {
      return backend;
    },
    origin,
    directory,
    events,
    request,
    hold,
    async signUp(email, password = 'correct horse') {
      const created = await request('POST', '/account', { body: { userId: 'unique()', email, password } });
      const session = await request('POST', '/account/sessions/email', { body: { email, password } });
      return { userId: String(created.body.$id), cookies: session.cookies };
    },
    async user(userId) {
      await request('POST', '/users', { asKey: true, body: { userId, email: `${userId}@example.com` } });
      const { body } = await request('POST', `/users/${userId}/sessions`, { asKey: true, body: {} });
      return String(body.secret);
    },
    async restart() {
      await backend.close();
      backend = open();
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
