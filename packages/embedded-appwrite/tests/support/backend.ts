/** Test support: a backend with its own folder, behind a real HTTP server. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BackendEvent } from '../../src/events.ts';
import { createEmbeddedBackend, type EmbeddedBackend, type EmbeddedOptions } from '../../src/index.ts';

export const PROJECT = 'p1';
export const KEY = 'standard_key_of_the_tests';

/** Argon2's cheapest parameters, for tests that are not about password hashing. */
export const QUICK_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies of any shape
  readonly body: any;
  readonly text: string;
  readonly bytes: Buffer;
  /** The `Cookie` header that a browser would send back after `Set-Cookie`. */
  readonly cookies: string;
}

/** `guest`, `key`, or a session's secret. */
export type Asker = 'guest' | 'key' | (string & {});

export interface RequestOptions {
  readonly as?: Asker;
  readonly asKey?: boolean;
  /** A session's secret. */
  readonly session?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly cookies?: string;
  /** Strings and forms are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

interface Upload extends RequestOptions {
  readonly name?: string;
  readonly permissions?: readonly string[];
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export type TestBackend = Awaited<ReturnType<typeof startTestBackend>>;

async function reply(response: Response): Promise<Reply> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json') === true && bytes.length > 0;
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(String(bytes)) : {},
    get text() {
      return String(bytes);
    },
    bytes,
    cookies: cookies.join('; '),
  };
}

function prepare({ asKey, session, as = session ?? 'guest', headers, cookies, body }: RequestOptions) {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof FormData;
  const isJson = body !== undefined && !(body instanceof FormData);
  return {
    content: isRaw ? body : JSON.stringify(body),
    headers: {
      'x-appwrite-project': PROJECT,
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...(cookies === undefined ? {} : { cookie: cookies }),
      ...(asKey || as === 'key' ? { 'x-appwrite-key': KEY } : as === 'guest' ? {} : { 'x-appwrite-session': as }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    },
  };
}

/** Starts a backend. By default, it has no rate limits, accepts six-byte passwords and hashes them cheaply. */
export async function startTestBackend(options: Partial<EmbeddedOptions> = {}) {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'embedded-')));
  const events: BackendEvent[] = [];
  function open(): EmbeddedBackend {
    const opened = createEmbeddedBackend({
      directory,
      projectId: PROJECT,
      keys: [{ secret: KEY }],
      webOrigins: ['localhost'],
      rateLimits: false,
      passwordCost: QUICK_PASSWORDS,
      ...options,
    });
    opened.events.listen((event) => void events.push(event));
    return opened;
  }
  let backend = open();
  // A busy machine may leave a connection idle for more than Node's default of 5 s, and the next request would fail.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => backend.handle(request, response));
  server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function request(method: string, path: string, options: RequestOptions = {}) {
    const { content, headers } = prepare(options);
    return reply(await fetch(`${origin}/v1${path}`, { method, body: content, headers }));
  }

  return {
    get backend(): EmbeddedBackend {
      return backend;
    },
    origin,
    directory,
    events,
    request,
    sender:
      (as: Asker): Send =>
      (method, path, body, headers) =>
        request(method, path, { as, body, ...(headers && { headers }) }),
    /** Sends all of a request but its last byte; resolves to a function that sends that byte and returns the reply. */
    hold(method: string, path: string, options: RequestOptions): Promise<() => Promise<Reply>> {
      const { content, headers } = prepare(options);
      const text = String(content ?? '');
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
    },
    async signUp(email: string, password = 'correct horse') {
      const created = await request('POST', '/account', { body: { userId: 'unique()', email, password } });
      const session = await request('POST', '/account/sessions/email', { body: { email, password } });
      return { userId: String(created.body.$id), cookies: session.cookies };
    },
    async user(id: string): Promise<string> {
      await request('POST', '/users', { as: 'key', body: { userId: id } });
      return (await request('POST', `/users/${id}/sessions`, { as: 'key', body: {} })).body.secret;
    },
    async bucket(bucketId: string, settings: Record<string, unknown> = {}) {
      const body = { bucketId, name: bucketId, ...settings };
      const { status, text } = await request('POST', '/storage/buckets', { as: 'key', body });
      if (status !== 201) throw new Error(text);
    },
    /** Creates a collection in the database `d`, which is created first if missing. Returns the documents' path. */
    async collection(collectionId: string, settings: Record<string, unknown> = {}) {
      const post = (path: string, body: object) => request('POST', path, { as: 'key', body });
      await post('/databases', { databaseId: 'd', name: 'D' });
      const body = { collectionId, name: collectionId, ...settings };
      const { status, text } = await post('/databases/d/collections', body);
      if (status !== 201) throw new Error(text);
      return `/databases/d/collections/${collectionId}/documents`;
    },
    upload(
      bucketId: string,
      fileId: string,
      bytes: Uint8Array | string,
      { name = 'file.bin', permissions = [], ...options }: Upload = {},
    ) {
      const form = new FormData();
      form.append('fileId', fileId);
      form.append('file', new File([bytes as BlobPart], name));
      for (const permission of permissions) form.append('permissions[]', permission);
      return request('POST', `/storage/buckets/${bucketId}/files`, { ...options, body: form });
    },
    /** Begins an upload of `bytes` bytes to the bucket `bk` and returns the request, whose body the caller sends. */
    beginUpload(as: string, bytes: number, more: Record<string, string> = {}) {
      const form = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': bytes };
      const headers = { ...prepare({ as, headers: more }).headers, ...form };
      const sent = rawRequest(`${origin}/v1/storage/buckets/bk/files`, { method: 'POST', headers });
      return sent.on('error', () => {});
    },
    /** Runs SQL in the database directly, without going through the backend. */
    sql(text: string): void {
      const database = new DatabaseSync(join(directory, 'backend.sqlite'));
      database.exec(text);
      database.close();
    },
    /** Returns the paths of all files in the storage folder, except previews. */
    async stored() {
      const entries = await readdir(join(directory, 'storage'), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('previews'))
        .map((entry) => join(entry.parentPath, entry.name));
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

export const queries = (...list: object[]): string =>
  list.map((query, i) => `queries[${i}]=${encodeURIComponent(JSON.stringify(query))}`).join('&');

export async function png(width: number, height = width): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
}
