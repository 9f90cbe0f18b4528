/** For tests: a backend on a folder of its own, asked over HTTP as a guest, as a user or with the key. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { BackendEvent } from '../../src/events.ts';
import { createEmbeddedBackend } from '../../src/index.ts';
import type { EmbeddedOptions } from '../../src/kernel.ts';

const PROJECT = 'p1';
const KEY = 'standard_test';

/** `guest`, `key`, or a session secret. */
export type Asker = 'guest' | 'key' | (string & {});

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface Asked {
  readonly as?: Asker;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Fixture {
  readonly endpoint: string;
  readonly projectId: string;
  readonly key: string;
  readonly directory: string;
  /** What the bus told since the start. */
  readonly events: BackendEvent[];
  ask(method: string, path: string, asked?: Asked): Promise<Reply>;
  /** Makes a user and gives his session secret. */
  user(id: string): Promise<string>;
  /** Makes a bucket with the key. */
  bucket(id: string, settings?: Record<string, unknown>): Promise<void>;
  upload(
    bucketId: string,
    fileId: string,
    bytes: Uint8Array | string,
    options?: Asked & { name?: string; permissions?: string[] },
  ): Promise<Reply>;
  /** Paths of all files under the storage folder, except previews. */
  stored(): Promise<string[]>;
  /** Ends the backend and starts another one on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startFixture(options: Partial<EmbeddedOptions> = {}): Promise<Fixture> {
  const directory = await mkdtemp(path.join(tmpdir(), 'embedded-'));
  const events: BackendEvent[] = [];
  const open = () => {
    const opened = createEmbeddedBackend({
      directory,
      projectId: PROJECT,
      keys: [{ secret: KEY }],
      webOrigins: ['localhost'],
      rateLimits: false,
      ...options,
    });
    opened.events.listen((event) => events.push(event));
    return opened;
  };
  let backend = open();
  const server = createServer((request, response) => backend.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  const ask: Fixture['ask'] = async (method, url, { as = 'guest', body, headers = {} } = {}) => {
    const who: Record<string, string> =
      as === 'key' ? { 'X-Appwrite-Key': KEY } : as === 'guest' ? {} : { 'X-Appwrite-Session': as };
    const json = body !== undefined && !(body instanceof FormData);
    const response = await fetch(endpoint + url, {
      method,
      headers: {
        'X-Appwrite-Project': PROJECT,
        ...who,
        ...(json && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as FormData) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      body: isJson && bytes.length > 0 ? JSON.parse(String(bytes)) : undefined,
    };
  };

  return {
    endpoint,
    projectId: PROJECT,
    key: KEY,
    directory,
    events,
    ask,
    async user(id) {
      await ask('POST', '/users', { as: 'key', body: { userId: id } });
      return (await ask('POST', `/users/${id}/sessions`, { as: 'key', body: {} })).body.secret;
    },
    async bucket(id, settings = {}) {
      const { status } = await ask('POST', '/storage/buckets', {
        as: 'key',
        body: { bucketId: id, name: id, ...settings },
      });
      if (status !== 201) throw new Error(`Bucket ${id}: ${status}`);
    },
    upload(bucketId, fileId, bytes, { name = 'file.bin', permissions, ...asked } = {}) {
      const form = new FormData();
      form.append('fileId', fileId);
      form.append('file', new File([bytes as BlobPart], name));
      for (const permission of permissions ?? []) form.append('permissions[]', permission);
      return ask('POST', `/storage/buckets/${bucketId}/files`, { ...asked, body: form });
    },
    async stored() {
      const folder = path.join(directory, 'storage');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('previews'))
        .map((entry) => path.join(entry.parentPath, entry.name));
    },
    async restart() {
      await backend.close();
      backend = open();
    },
    async close() {
      await backend.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A PNG of `width` × `height` pixels. */
export function png(width: number, height = width): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
}
