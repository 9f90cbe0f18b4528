/**
 * The bytes of files on disk. A blob is made durable under `files/xx/`, straight or by way of `incoming/`, and its row is
 * committed after that. A crash leaves at worst bytes without a row, which the sweep removes.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppwriteError } from '../http/errors.ts';
import { SharedWork } from './shared-work.ts';

/** Makes the entries of a folder durable. Systems that cannot open a folder do this by themselves. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EISDIR' && code !== 'EINVAL' && code !== 'EACCES') throw error;
  }
}

/**
 * A name that no blob ever had. It begins with the minute, from 00 to ff: blobs that are made at the same time lie in the
 * same folder, and one sync of that serves them all.
 */
export function newBlobName(): string {
  const minute = Math.floor(Date.now() / 60_000) % 256;
  return minute.toString(16).padStart(2, '0') + randomBytes(15).toString('hex');
}

const BLOB_NAME = /^[0-9A-Za-z-]+$/;

/** True for a plain name. Names may come from a stranger's backup. */
export const isBlobName = (name: string): boolean => BLOB_NAME.test(name);

/** Returns where a blob lies in `folder`. Throws 404 `storage_file_not_found` for a path in place of a name. */
export function blobPath(folder: string, blob: string): string {
  if (!isBlobName(blob)) throw new AppwriteError('storage_file_not_found');
  return path.join(folder, blob.slice(0, 2), blob);
}

export class Blobs {
  /** Bytes on their way in, gone after a restart. */
  readonly incoming: string;
  /** Bytes that rows point to. */
  readonly files: string;
  readonly #made = new Set<string>();
  readonly #syncs = new SharedWork();

  /** @param directory the storage service's own folder; made when missing. */
  constructor(directory: string) {
    this.incoming = path.join(directory, 'incoming');
    this.files = path.join(directory, 'files');
    mkdirSync(this.incoming, { recursive: true, mode: 0o700 });
    mkdirSync(this.files, { recursive: true, mode: 0o700 });
  }

  /** Where a blob lies. */
  pathOf(blob: string): string {
    return blobPath(this.files, blob);
  }

  /** A fresh path under `incoming/`. */
  temporaryPath(): string {
    return path.join(this.incoming, newBlobName());
  }

  /** Makes sure that the folder of a blob exists, durably. */
  async prepare(blob: string): Promise<void> {
    const folder = path.dirname(this.pathOf(blob));
    if (this.#made.has(folder)) return;
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(this.files);
    this.#made.add(folder);
  }

  /**
   * Puts bytes in their place; afterwards they survive a crash.
   * @param content the bytes, or the path of a finished, synced file, which is moved
   */
  async adopt(content: Buffer | string, blob: string): Promise<void> {
    await this.prepare(blob);
    const place = this.pathOf(blob);
    try {
      if (typeof content === 'string') await rename(content, place);
      else await writeFile(place, content, { flag: 'wx', mode: 0o600, flush: true });
      await this.settle(blob);
    } catch (error) {
      // On a full disk a part of it would take the last room.
      await this.remove(blob);
      throw error;
    }
  }

  /** Makes a blob's directory entry durable, after it was created in place. */
  async settle(blob: string): Promise<void> {
    const folder = path.dirname(this.pathOf(blob));
    await this.#syncs.run(folder, () => syncFolder(folder));
  }

  /** Removes the bytes; readers that have them open finish undisturbed. */
  async remove(blob: string): Promise<void> {
    if (isBlobName(blob)) await rm(this.pathOf(blob), { force: true });
  }
}
