/** Shared by the storage routes: blobs, caches, and how a file is removed. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Kernel } from '../kernel.ts';
import type { Blobs } from './blobs.ts';
import { type ByteCache, byteCache } from './byte-cache.ts';
import type { FileRecord } from './files/file.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { PreviewCache } from './preview/cache.ts';
import { Serial } from './upload/serial.ts';

/** Largest file when the operator sets no limit (contract 2.7). */
const LARGEST_FILE_BYTES = 30_000_000;
const MEMORY_BYTES = 16 * 1024 * 1024;
const PREVIEW_BYTES = 512 * 1024 * 1024;
/** Previews that the site itself does not ask for have their own room, so that they push out none of its own. */
const OTHER_PREVIEW_BYTES = 128 * 1024 * 1024;
const OTHERS_AT_ONCE = 2;
const OTHERS_WAITING = 16;

export interface StorageService {
  readonly kernel: Kernel;
  readonly blobs: Blobs;
  /** Folder of uploads that are being received. */
  readonly incoming: string;
  /** Small bodies by blob name. A blob never changes, so an entry is never stale. */
  readonly memory: ByteCache;
  /** Previews that the site's pages or key holders ask for. */
  readonly previews: PreviewCache;
  readonly otherPreviews: PreviewCache;
  /** Runs the writes of one file one after the other. */
  readonly serial: Serial;
  /** Bytes. No bucket may allow larger files. */
  readonly storageLimit: number;
  log(level: 'info' | 'warn' | 'error', message: string, error?: unknown): void;
  /** Removes the bytes and previews of a file whose row is gone. */
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
    storageLimit: kernel.options.storageLimit ?? LARGEST_FILE_BYTES,
    log: (level, message, error) => kernel.options.log?.(level, message, error),
    async dispose({ blob }) {
      memory.delete(blob);
      await Promise.all([blobs.remove(blob), previews.forget(blob), otherPreviews.forget(blob)]);
    },
  };
}
