import { KEY, PROJECT } from '../support/backend-process.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  json(): Record<string, unknown>;
}

/** Thrown when the connection breaks. The client then cannot know whether the server carried out the request. */
export class Broken extends Error {}

const HEADERS = { 'x-appwrite-project': PROJECT, 'x-appwrite-key': KEY };
export type Client = ReturnType<typeof createClient>;

/**
 * Creates functions that send requests to `endpoint` (ending in `/v1`) with the headers `given` (default: the key's).
 * @throws {Broken} if the connection breaks
 */
export function createClient(endpoint: string, given: Readonly<Record<string, string>> = HEADERS) {
  async function ask(method: string, path: string, init: RequestInit): Promise<Reply> {
    try {
      const response = await fetch(`${endpoint}${path}`, { ...init, method });
      const body = Buffer.from(await response.arrayBuffer());
      const { status, headers } = response;
      return { status, headers, body, json: () => JSON.parse(body.toString() || '{}') };
    } catch (error) {
      throw new Broken(`${method} ${path} broke off.`, { cause: error });
    }
  }
  return {
    json(method: string, path: string, body?: unknown): Promise<Reply> {
      if (body === undefined) return ask(method, path, { headers: given });
      const headers = { ...given, 'content-type': 'application/json' };
      return ask(method, path, { headers, body: JSON.stringify(body) });
    },
    upload(path: string, fileId: string, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Reply> {
      const body = new FormData();
      body.set('fileId', fileId);
      body.set('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
      return ask('POST', path, { headers: { ...given, ...headers }, body });
    },
  };
}
