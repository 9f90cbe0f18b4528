/** Imports one format into a backend of its own; the export is written as a file, a folder or a zip file. */

import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import yazl from 'yazl';
import type { Allowed } from '../../src/backend/remote-pictures/reachable.ts';
import { type Admin, createAdmin } from '../../src/backend/server-key/admin.ts';
import type { Post } from '../../src/blog/post.ts';
import type { Site } from '../../src/blog/site.ts';
import { formatOf, openCollection } from '../../src/transfer/formats.ts';
import { type Result, type WriteOptions, writePosts } from '../../src/transfer/write/write.ts';
import { type EmbeddedSite, openEmbeddedSite } from './embedded-site.ts';

export type Content = string | Buffer | Promise<Buffer>;
export type Files = Readonly<Record<string, Content>>;

/** Returns a PNG of one colour. */
export const picture = (width = 9, height = width, background = '#f00'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

export interface TakeOptions {
  /** Default: detected from the content. */
  readonly format?: string;
  readonly dryRun?: boolean;
  /** Assigns posts to their authors. */
  readonly people?: boolean;
  /** Default: one user for all runs. */
  readonly userId?: string;
  /** A new name forgets earlier imports. */
  readonly data?: string;
  readonly signal?: AbortSignal;
  readonly onResult?: WriteOptions['onResult'];
  readonly oldSite?: string;
  readonly media?: string;
  readonly fetch?: Allowed;
  /** Identifies the source, so that a second run recognises it. Default: the path. */
  readonly place?: string;
  readonly longestMs?: number;
  readonly admin?: Admin;
  readonly site?: Site;
}

export interface Taken {
  readonly path: string;
  readonly format: string;
  readonly results: readonly Result[];
  /** Posts in the order of the results; undefined where a result has no post. */
  readonly posts: readonly (Post | undefined)[];
}

export interface Importing {
  readonly site: EmbeddedSite;
  readonly admin: Admin;
  /** Returns the user who gets the posts without `people`. */
  userId(): Promise<string>;
  file(name: string, content: Content): Promise<string>;
  folder(files: Files): Promise<string>;
  zip(files: Files): Promise<string>;
  take(path: string, options?: TakeOptions): Promise<Taken>;
  close(): Promise<void>;
}

export async function openImporting(): Promise<Importing> {
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
  const userId = () => {
    writer ??= admin.createAuthor({ email: 'writer@example.com', name: 'W' }).then(({ user }) => user.id);
    return writer;
  };
  return {
    site,
    admin,
    userId,
    file: (name, content) => write(join(place(), name), content),
    async folder(files) {
      const folder = place();
      for (const [name, content] of Object.entries(files)) await write(join(folder, name), content);
      return folder;
    },
    async zip(files) {
      const path = `${place()}.zip`;
      const zip = new yazl.ZipFile();
      for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(await content), name);
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(path));
      return path;
    },
    async take(path, { format, people, userId: given, data = 'data', place: named, ...options } = {}) {
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
