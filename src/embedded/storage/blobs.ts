/**
 * The bytes of files on disk. A blob is written under `incoming/`, made durable, and only then moved to `files/xx/`;
 * its row is committed after that. A crash leaves at worst bytes without a row, which the sweep removes.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

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

/** A name that no blob ever had. */
export function newBlobName(): string {
  return randomBytes(16).toString('hex');
}

export class Blobs {
  /** Bytes on their way in, gone after a restart. */
  readonly incoming: string;
  /** Bytes that rows point to. */
  readonly files: string;
  readonly #made = new Set<string>();

  /** @param directory the storage service's own folder; made when missing. */
  constructor(directory: string) {
    this.incoming = path.join(directory, 'incoming');
    this.files = path.join(directory, 'files');
    mkdirSync(this.incoming, { recursive: true, mode: 0o700 });
    mkdirSync(this.files, { recursive: true, mode: 0o700 });
  }

  /** Where a blob lies. */
  pathOf(blob: string): string {
    return path.join(this.files, blob.slice(0, 2), blob);
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

  /** Moves finished, synced bytes to their place. Afterwards they survive a crash. */
  async adopt(temporary: string, blob: string): Promise<void> {
    await this.prepare(blob);
    await rename(temporary, this.pathOf(blob));
    await syncFolder(path.dirname(this.pathOf(blob)));
  }

  /** Makes a blob's directory entry durable, after it was created in place. */
  async settle(blob: string): Promise<void> {
    await syncFolder(path.dirname(this.pathOf(blob)));
  }

  /** Removes the bytes; readers that have them open finish undisturbed. */
  async remove(blob: string): Promise<void> {
    await rm(this.pathOf(blob), { force: true });
  }
}
