/**
 * The bytes of stored files, apart from where they lie: another storage implements `Blobs`. A row is committed after its
 * blob is durable, so a crash leaves at worst a blob without a row, which the sweep removes.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { AppwriteError } from '../http/errors.ts';
import type { ByteRange } from './read/range.ts';

/** Bytes, or the path of a finished, synced file that holds them. */
export type BlobContent = Buffer | string;

export interface OpenBlob {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Reads a part, by default the whole. Throws when the blob turns out to be shorter. */
  chunks(range?: ByteRange): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export interface BlobPart {
  /** Offset in the blob, bytes. */
  readonly at: number;
  /** True for the write that creates the blob. */
  readonly isFirst: boolean;
}

export interface Blobs {
  /** Opens a blob, which stays readable after it is removed. Rejects when it is missing. */
  open(name: string): Promise<OpenBlob>;
  /** Reads a whole blob. Rejects when it is missing. */
  read(name: string): Promise<Buffer>;
  /**
   * Stores a new blob or a part of one, durably; a file given by its path may be moved. A new blob that fails is removed.
   * Rejects with code `ENOENT` for a later part of a missing blob.
   */
  write(name: string, content: BlobContent, part?: BlobPart): Promise<void>;
  /** Removes a blob, if it is there. */
  remove(name: string): Promise<void>;
  /** Names of all blobs. */
  list(): AsyncIterable<string>;
}

/**
 * Returns a name that no blob has had. It begins with the minute, 00 to ff: blobs made at the same time lie in the same
 * folder, and one sync serves them all.
 */
export function newBlobName(): string {
  const minute = Math.floor(Date.now() / 60_000) % 256;
  return minute.toString(16).padStart(2, '0') + randomBytes(15).toString('hex');
}

/** Returns true for a plain name. Names may come from a stranger's backup. */
export const isBlobName = (name: string): boolean => /^[0-9A-Za-z-]+$/.test(name);

/** Returns where a blob lies below `folder`. Throws 404 `storage_file_not_found` for a path in place of a name. */
export function blobPath(folder: string, name: string): string {
  if (!isBlobName(name)) throw new AppwriteError('storage_file_not_found');
  return path.join(folder, name.slice(0, 2), name);
}
