/** Parses the `Content-Range` header of a chunk (contract 2.7). */
import { AppwriteError } from '../../http/errors.ts';

/** Chunk size of every SDK, in bytes. Each chunk begins at a multiple of it. */
export const CHUNK_SIZE = 5 * 1024 * 1024;

export interface ContentRange {
  readonly start: number;
  /** First byte after the chunk. */
  readonly end: number;
  /** Size of the whole file in bytes. */
  readonly total: number;
}

const CONTENT_RANGE = /^\s*[a-z]+[\s=]+(\d{1,15})-(\d{1,15})\/(\d{1,15})\s*$/i;

/** Returns the number of the chunk that begins at `start`, counted from 1. */
export function chunkNumber(start: number): number {
  return Math.floor(start / CHUNK_SIZE) + 1;
}

export function chunkCount(total: number): number {
  return Math.max(1, Math.ceil(total / CHUNK_SIZE));
}

/**
 * Parses a range. The last byte's position may equal the file's size, because some SDKs send it that way. Throws 400
 * for an invalid range.
 */
export function parseContentRange(header: string | undefined): ContentRange | undefined {
  if (header === undefined || header === '') return undefined;
  const match = CONTENT_RANGE.exec(header);
  if (!match) throw new AppwriteError('storage_invalid_content_range');
  const [start, last, total] = match.slice(1).map(Number) as [number, number, number];
  if (start > last || last > total || start >= total) throw new AppwriteError('storage_invalid_content_range');
  return { start, end: Math.min(last + 1, total), total };
}

/** Throws 400 unless the chunk is aligned, complete and as long as announced, so that the file gets no holes. */
export function requireWholeChunk(range: ContentRange, received: number): void {
  const length = range.end - range.start;
  const whole = range.start % CHUNK_SIZE === 0 && (length === CHUNK_SIZE || range.end === range.total);
  if (whole && length <= CHUNK_SIZE && length === received) return;
  throw new AppwriteError(
    'storage_invalid_content_range',
    `The content range is invalid. Send chunks of ${CHUNK_SIZE} bytes, each with exactly the bytes its Content-Range header names.`,
  );
}
