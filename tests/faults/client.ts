import { KEY, PROJECT } from '../support/backend-process.ts';

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  json(): Record<string, unknown>;
}

/** The connection broke: the client cannot know whether the server carried the request out. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

const HEADERS = { 'x-appwrite-project': PROJECT, 'x-appwrite-key': KEY };

export interface Client {
  json(method: string, path: string, body?: unknown): Promise<Reply>;
  form(path: string, form: FormData, headers?: Record<string, string>): Promise<Reply>;
}

/** Sends requests with the server key to `endpoint`, which ends in `/v1`. @throws {Broken} if the connection breaks */
export function createClient(endpoint: string): Client {
  async function ask(method: string, path: string, init: RequestInit): Promise<Reply> {
    try {
      const response = await fetch(`${endpoint}${path}`, { ...init, method });
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, body, json: () => JSON.parse(body.toString() || '{}') };
    } catch (error) {
      throw new Broken(`${method} ${path} broke off.`, { cause: error });
    }
  }
  return {
    json(method, path, body) {
      if (body === undefined) return ask(method, path, { headers: HEADERS });
      const headers = { ...HEADERS, 'content-type': 'application/json' };
      return ask(method, path, { headers, body: JSON.stringify(body) });
    },
    form: (path, form, headers) => ask('POST', path, { headers: { ...HEADERS, ...headers }, body: form }),
  };
}
