/** Small bodies in memory. */
import { LRUCache } from 'lru-cache';

/** Larger bodies are not cached. */
export const LARGEST_CACHED_BYTES = 256 * 1024;

export type ByteCache = LRUCache<string, Buffer>;

/** Returns a cache of at most `maxBytes`. */
export const byteCache = (maxBytes: number): ByteCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => Math.max(length, 1) });
