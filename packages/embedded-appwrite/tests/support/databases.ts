/** For the tests of this folder: a backend on a database file of its own, spoken to by HTTP over a local socket. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendEvent } from '../../src/events.ts';
import { createEmbeddedBackend } from '../../src/index.ts';

const KEY = 'server-key';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server said; tests look into it
  readonly body: any;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export interface TestBackend {
  /** With the server key. */
  readonly key: Send;
  readonly guest: Send;
  /** A new user of this id, signed in. */
  user(id: string): Promise<Send>;
  readonly events: BackendEvent[];
  close(): Promise<void>;
}

export const queries = (...list: object[]): string =>
  list.map((query, i) => `queries[${i}]=${encodeURIComponent(JSON.stringify(query))}`).join('&');

export async function startBackend(): Promise<TestBackend> {
  const directory = mkdtempSync(join(tmpdir(), 'databases-'));
  const socketPath = join(directory, 'socket');
  const backend = createEmbeddedBackend({
    directory,
    projectId: 'p1',
    keys: [{ secret: KEY }],
    webOrigins: ['localhost'],
    rateLimits: false,
    log(level, message, error) {
      if (level === 'error') throw new Error(message, { cause: error });
    },
  });
  const events: BackendEvent[] = [];
  backend.events.listen((event) => events.push(event));
  const server = createServer((incoming, response) => backend.handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));

  const sender =
    (own: Record<string, string>): Send =>
    (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
        const length = { 'content-length': String(Buffer.byteLength(content)) };
        const outgoing = request(
          {
            socketPath,
            method,
            path: `/v1${path}`,
            headers: { 'x-appwrite-project': 'p1', 'content-type': 'application/json', ...length, ...own, ...headers },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () => {
              const type = response.headers['content-type'] ?? '';
              const parsed = type.includes('json') ? JSON.parse(text) : undefined;
              resolve({ status: response.statusCode ?? 0, body: parsed, text, headers: response.headers });
            });
          },
        );
        outgoing.on('error', reject);
        outgoing.end(content);
      });

  const key = sender({ 'x-appwrite-key': KEY });
  return {
    key,
    guest: sender({}),
    async user(id) {
      await key('POST', '/users', { userId: id, email: `${id}@example.com` });
      const { body } = await key('POST', `/users/${id}/sessions`, {});
      return sender({ 'x-appwrite-session': body.secret });
    },
    events,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await backend.close();
      rmSync(directory, { recursive: true });
    },
  };
}
