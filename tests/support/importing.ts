/** Imports one format into a new backend. A test writes the source as a file, a folder or a zip file. */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import yazl from 'yazl';
import type { Allowed } from '../../src/backend/remote-pictures/reachable.ts';
import { createAdmin } from '../../src/backend/server-key/admin.ts';
import { formatOf, openCollection } from '../../src/transfer/formats.ts';
import { type WriteOptions, writePosts } from '../../src/transfer/write/write.ts';
import { openEmbeddedSite } from './embedded-site.ts';

export type Content = string | Buffer | Promise<Buffer>;
export type Files = Readonly<Record<string, Content>>;

export const picture = (width = 9, height = width, background = '#f00'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** By default, one user gets all posts, and the path is the `place` that identifies the source in the ledger. */
export interface TakeOptions extends Partial<Omit<WriteOptions, 'dataDirectory'>> {
  /** Default: detected from the content. */
  readonly format?: string;
  /** Assigns posts to their original authors. */
  readonly people?: boolean;
  /** Name of the data folder (default: `data`). A different folder has no record of earlier imports. */
  readonly data?: string;
  readonly oldSite?: string;
  readonly media?: string;
  readonly fetch?: Allowed;
}

export type Importing = Awaited<ReturnType<typeof openImporting>>;
export type Taken = Awaited<ReturnType<Importing['take']>>;

export async function openImporting() {
  const site = await openEmbeddedSite();
  const admin = createAdmin(site.target);
  let count = 0;
  let writer: Promise<string> | undefined;
  const place = () => join(site.folder, `source-${++count}`);
  const write = async (path: string, content: Content) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await content);
    return path;
  };
  /** Returns the id of the user who gets all posts unless `people` is set. */
  const userId = () => {
    writer ??= admin.createAuthor({ email: 'writer@example.com', name: 'W' }).then(({ user }) => user.id);
    return writer;
  };
  return {
    site,
    admin,
    userId,
    file: (name: string, content: Content) => write(join(place(), name), content),
    async folder(files: Files) {
      const folder = place();
      for (const [name, content] of Object.entries(files)) await write(join(folder, name), content);
      return folder;
    },
    async zip(files: Files) {
      const path = `${place()}.zip`;
      const zip = new yazl.ZipFile();
      for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(await content), name);
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(path));
      return path;
    },
    async take(path: string, more: TakeOptions = {}) {
      const { format, people, userId: given, data = 'data', place: named, ...options } = more;
      const name = format ?? (await formatOf(path));
      const collection = await openCollection(name, { ...options, path });
      try {
        const results = await writePosts(collection, {
          ...options,
          admin: options.admin ?? admin,
          site: options.site ?? site.site,
          userId: people ? undefined : (given ?? (await userId())),
          dataDirectory: join(site.folder, data),
          place: named ?? path,
        });
        const posts = await Promise.all(results.map(({ slug }) => (slug ? admin.post(slug) : undefined)));
        return { path, format: name, results, posts };
      } finally {
        await collection.close?.();
      }
    },
    close: () => site.close(),
  };
}
