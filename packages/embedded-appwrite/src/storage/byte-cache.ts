import { LRUCache } from 'lru-cache';

export const LARGEST_CACHED_BYTES = 256 * 1024;

export type ByteCache = LRUCache<string, Buffer>;

export const byteCache = (maxBytes: number): ByteCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => Math.max(length, 1) });
