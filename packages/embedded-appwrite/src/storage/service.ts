/** What the storage routes share: where bytes lie, what is cached, and how a file goes away. */
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Kernel } from '../kernel.ts';
import { Blobs } from './blobs.ts';
import type { FileRecord } from './files/file.ts';
import { PreviewCache } from './preview/cache.ts';
import { Serial } from './upload/serial.ts';

/** Largest file in bytes when the operator sets no limit (contract 2.7). */
const STORAGE_LIMIT = 30_000_000;
/** Memory for small files and previews, bytes. */
const MEMORY_LIMIT = 16 * 1024 * 1024;
/** Disk for previews, bytes. */
const PREVIEW_LIMIT = 512 * 1024 * 1024;
/** The same for previews that the site itself does not ask for: they push out none of its own. */
const OTHER_PREVIEW_LIMIT = 128 * 1024 * 1024;
/** How many of those are made at once, and how many may wait. */
const OTHERS_AT_ONCE = 2;
const OTHERS_WAITING = 16;

/** Small bodies in memory, by name. */
export type ByteCache = LRUCache<string, Buffer>;

/** Keeps `limit` bytes at most. */
export const byteCache = (limit: number): ByteCache =>
  new LRUCache({ maxSize: limit, sizeCalculation: ({ length }) => Math.max(length, 1) });

export interface StorageService {
  readonly kernel: Kernel;
  readonly blobs: Blobs;
  /** Small bodies by blob name: a blob never changes, so an entry never gets stale. */
  readonly memory: ByteCache;
  /** Those that the site's pages ask for, and those that key holders do. */
  readonly previews: PreviewCache;
  /** All others. */
  readonly otherPreviews: PreviewCache;
  /** One chunk of a file at a time. */
  readonly serial: Serial;
  /** Bytes; no bucket may allow more. */
  readonly storageLimit: number;
  log(level: 'info' | 'warn' | 'error', message: string, error?: unknown): void;
  /** Forgets and removes the bytes of a file whose row is gone. */
  dispose(file: Pick<FileRecord, 'blob'>): Promise<void>;
}

export function createStorageService(kernel: Kernel): StorageService {
  const directory = path.join(kernel.options.directory, 'storage');
  const blobs = new Blobs(directory);
  const memory = byteCache(MEMORY_LIMIT);
  const hasRoom = () => kernel.store.hasRoom;
  const previews = new PreviewCache({
    directory: path.join(directory, 'previews'),
    limit: PREVIEW_LIMIT,
    memory,
    hasRoom,
  });
  const otherPreviews = new PreviewCache({
    directory: path.join(directory, 'previews-other'),
    limit: OTHER_PREVIEW_LIMIT,
    atOnce: OTHERS_AT_ONCE,
    waiting: OTHERS_WAITING,
    hasRoom,
  });
  return {
    kernel,
    blobs,
    memory,
    previews,
    otherPreviews,
    serial: new Serial(),
    storageLimit: kernel.options.storageLimit ?? STORAGE_LIMIT,
    log: (level, message, error) => kernel.options.log?.(level, message, error),
    async dispose({ blob }) {
      memory.delete(blob);
      await Promise.all([blobs.remove(blob), previews.forget(blob), otherPreviews.forget(blob)]);
    },
  };
}
