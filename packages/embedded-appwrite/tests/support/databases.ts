/** For tests of databases: a test backend whose guests, users and key are functions that send. */
import { startTestBackend } from './backend.ts';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server said; tests look into it
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export type TestBackend = Awaited<ReturnType<typeof startBackend>>;

export const queries = (...list: object[]): string =>
  list.map((query, i) => `queries[${i}]=${encodeURIComponent(JSON.stringify(query))}`).join('&');

/** An error that the backend logs fails the test. */
export async function startBackend() {
  const server = await startTestBackend({
    log(level, message, error) {
      if (level === 'error') throw new Error(message, { cause: error });
    },
  });
  const sender =
    (own: { asKey?: boolean; session?: string }): Send =>
    (method, path, body, headers = {}) =>
      server.request(method, path, { ...own, body, headers });
  return {
    key: sender({ asKey: true }),
    guest: sender({}),
    /** Makes a user of this id, and signs in. */
    user: async (id: string) => sender({ session: await server.user(id) }),
    events: server.events,
    close: server.stop,
  };
}
