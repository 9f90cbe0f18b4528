/** For tests of storage: a test backend that is asked as a guest, as a user or with the key. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { EmbeddedOptions } from '../../src/index.ts';
import { KEY, PROJECT, startTestBackend } from './backend.ts';

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

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

export async function startFixture(options: Partial<EmbeddedOptions> = {}) {
  const server = await startTestBackend(options);

  function ask(method: string, url: string, { as = 'guest', ...rest }: Asked = {}): Promise<Reply> {
    const who = as === 'key' ? { asKey: true } : { session: as === 'guest' ? undefined : as };
    return server.request(method, url, { ...rest, ...who });
  }

  return {
    endpoint: `${server.origin}/v1`,
    projectId: PROJECT,
    key: KEY,
    directory: server.directory,
    events: server.events,
    ask,
    user: server.user,
    /** Makes a bucket with the key. */
    async bucket(id: string, settings: Record<string, unknown> = {}): Promise<void> {
      const body = { bucketId: id, name: id, ...settings };
      const { status } = await ask('POST', '/storage/buckets', { as: 'key', body });
      if (status !== 201) throw new Error(`Bucket ${id}: ${status}`);
    },
    upload(
      bucketId: string,
      fileId: string,
      bytes: Uint8Array | string,
      { name = 'file.bin', permissions = [], ...asked }: Asked & { name?: string; permissions?: string[] } = {},
    ): Promise<Reply> {
      const form = new FormData();
      form.append('fileId', fileId);
      form.append('file', new File([bytes as BlobPart], name));
      for (const permission of permissions) form.append('permissions[]', permission);
      return ask('POST', `/storage/buckets/${bucketId}/files`, { ...asked, body: form });
    },
    /** Returns the paths of all files under the storage folder, except previews. */
    async stored(): Promise<string[]> {
      const folder = path.join(server.directory, 'storage');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('previews'))
        .map((entry) => path.join(entry.parentPath, entry.name));
    },
    restart: server.restart,
    close: server.stop,
  };
}

/** A PNG of `width` × `height` pixels. */
export function png(width: number, height = width): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
}
