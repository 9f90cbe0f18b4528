/** Stores files' bytes. A blob is on disk before its row is committed, so a crash leaves no row without a blob. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { AppwriteError } from '../http/errors.ts';
import type { ByteRange } from './read/range.ts';

/** Bytes, or the path of a complete, synced file. */
export type BlobContent = Buffer | string;

export interface OpenBlob {
  readonly size: number;
  readonly modifiedMs: number;
  /** Reads a range of the blob, by default the whole blob. Throws if the blob ends before the range does. */
  chunks(range?: ByteRange): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export interface BlobPart {
  /** Byte offset in the blob. */
  readonly at: number;
  readonly isFirst: boolean;
}

export interface Blobs {
  /** Opens a blob, which stays readable after it is removed. Rejects when it is missing. */
  open(name: string): Promise<OpenBlob>;
  /**
   * Stores bytes durably; may move the file if `content` is a path. Rejects with `ENOENT` if the blob is missing and
   * `part` is not its first part.
   */
  write(name: string, content: BlobContent, part?: BlobPart): Promise<void>;
  remove(name: string): Promise<void>;
  list(): AsyncIterable<string>;
}

/**
 * Returns two hex digits for the current minute, followed by random ones. Blobs created in the same minute share a
 * folder and thus one fsync.
 */
export function newBlobName(): string {
  const minute = Math.floor(Date.now() / 60_000) % 256;
  return minute.toString(16).padStart(2, '0') + randomBytes(15).toString('hex');
}

/** Returns true if the name cannot escape the folder. A backup of unknown origin may contain any name. */
export const isBlobName = (name: string): boolean => /^[0-9A-Za-z-]+$/.test(name);

/** Returns the path of a blob below `folder`. Throws 404 `storage_file_not_found` for an invalid name. */
export function blobPath(folder: string, name: string): string {
  if (!isBlobName(name)) throw new AppwriteError('storage_file_not_found');
  return path.join(folder, name.slice(0, 2), name);
}
