/** Stores blobs as files, `<folder>/xx/<name>`. */
import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type BlobContent, type BlobPart, type Blobs, blobPath, isBlobName, type OpenBlob } from './blobs.ts';
import type { ByteRange } from './read/range.ts';
import { SharedWork } from './shared-work.ts';

const READ_BYTES = 64 * 1024;
const COPY_BYTES = 1024 * 1024;

export class FolderBlobs implements Blobs {
  readonly #folder: string;
  readonly #syncs = new SharedWork();
  /** Folders whose entry in the parent folder is on disk. */
  readonly #durable = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async open(name: string): Promise<OpenBlob> {
    const handle = await open(blobPath(this.#folder, name), 'r');
    const { size, mtimeMs } = await handle.stat();
    return {
      size,
      modifiedMs: mtimeMs,
      chunks: (range = { start: 0, end: size }) => readChunks(handle, range),
      close: () => handle.close(),
    };
  }

  async write(name: string, content: BlobContent, part?: BlobPart): Promise<void> {
    const place = blobPath(this.#folder, name);
    if (part && !part.isFirst) return writeAt(place, 'r+', content, part.at);
    const folder = path.dirname(place);
    if ((await mkdir(folder, { recursive: true, mode: 0o700 })) || !this.#durable.has(folder)) {
      await this.#syncs.run(this.#folder, () => syncFolder(this.#folder));
      this.#durable.add(folder);
    }
    try {
      if (typeof content === 'string' && !part) await rename(content, place);
      else await writeAt(place, 'wx', content, part?.at ?? 0);
      await this.#syncs.run(folder, () => syncFolder(folder));
    } catch (error) {
      // Frees the space of the partial blob at once, because the disk may be full.
      await this.remove(name);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    if (isBlobName(name)) await rm(blobPath(this.#folder, name), { force: true });
  }

  async *list(): AsyncGenerator<string> {
    for (const folder of await readdir(this.#folder)) {
      for (const name of await readdir(path.join(this.#folder, folder)).catch(() => [])) {
        if (isBlobName(name)) yield name;
      }
    }
  }
}

async function* readChunks(handle: FileHandle, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const length = Math.min(READ_BYTES, end - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was being read.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function writeAt(place: string, flag: 'wx' | 'r+', content: BlobContent, at: number): Promise<void> {
  const handle = await open(place, flag, 0o600);
  try {
    let position = at;
    const chunks = typeof content === 'string' ? createReadStream(content, { highWaterMark: COPY_BYTES }) : [content];
    for await (const bytes of chunks as AsyncIterable<Buffer>) {
      // On an almost full disk a write may be partial without an error; writing the rest then throws.
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position);
        done += bytesWritten;
        position += bytesWritten;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder's entries to disk, except on systems where a folder cannot be opened and needs no sync. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EISDIR' && code !== 'EINVAL' && code !== 'EACCES') throw error;
  }
}
