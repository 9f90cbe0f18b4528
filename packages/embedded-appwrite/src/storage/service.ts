import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddedOptions, Kernel } from '../kernel.ts';
import type { Blobs } from './blobs.ts';
import { type ByteCache, byteCache } from './byte-cache.ts';
import type { FileRecord } from './files/file.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { PreviewCache } from './preview/cache.ts';
import { Serial } from './upload/serial.ts';

/** Maximum size of a file in bytes; no bucket may allow more (contract 2.7). */
export const LARGEST_FILE_BYTES = 30_000_000;
const MEMORY_BYTES = 16 * 1024 * 1024;
const PREVIEW_BYTES = 512 * 1024 * 1024;
/** Previews in sizes that the site does not use have a separate cache, so that they cannot evict the site's own. */
const OTHER_PREVIEW_BYTES = 128 * 1024 * 1024;
const OTHERS_AT_ONCE = 2;
const OTHERS_WAITING = 16;

export interface StorageService {
  readonly kernel: Kernel;
  readonly blobs: Blobs;
  readonly incoming: string;
  /** Small files by blob name, and small previews. A blob never changes, so an entry is never stale. */
  readonly memory: ByteCache;
  /** Previews in sizes that the site's pages use, and previews requested with a server key. */
  readonly previews: PreviewCache;
  readonly otherPreviews: PreviewCache;
  readonly serial: Serial;
  readonly log: NonNullable<EmbeddedOptions['log']>;
  dispose(file: Pick<FileRecord, 'blob'>): Promise<void>;
}

export function createStorageService(kernel: Kernel): StorageService {
  const directory = path.join(kernel.options.directory, 'storage');
  const incoming = path.join(directory, 'incoming');
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  const blobs = new FolderBlobs(path.join(directory, 'files'));
  const memory = byteCache(MEMORY_BYTES);
  const hasRoom = () => kernel.store.hasRoom;
  const previews = new PreviewCache({
    directory: path.join(directory, 'previews'),
    limit: PREVIEW_BYTES,
    memory,
    hasRoom,
  });
  const otherPreviews = new PreviewCache({
    directory: path.join(directory, 'previews-other'),
    limit: OTHER_PREVIEW_BYTES,
    atOnce: OTHERS_AT_ONCE,
    waiting: OTHERS_WAITING,
    hasRoom,
  });
  return {
    kernel,
    blobs,
    incoming,
    memory,
    previews,
    otherPreviews,
    serial: new Serial(),
    log: kernel.options.log ?? (() => {}),
    async dispose({ blob }) {
      memory.delete(blob);
      await Promise.all([blobs.remove(blob), previews.forget(blob), otherPreviews.forget(blob)]);
    },
  };
}
