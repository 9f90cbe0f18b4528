/**
 * Takes a file out of a form. A small one stays in memory until somebody wants it kept, so that refusing it costs no disk
 * and keeping it one write; a larger one goes to disk as it arrives. Memory stays bounded however large the file is.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Bytes that are gathered before they are written, and the largest file that is held. Most pictures for the web fit. */
const HELD = 256 * 1024;
/** Bytes that all uploads together may hold; beyond it they write what they get as they get it. */
const HELD_BY_ALL = 16 * 1024 * 1024;

let heldByAll = 0;

export interface ReceivedFile {
  /** The bytes, or the path where they lie, synced. */
  readonly content: Buffer | string;
  /** As the client named it, without folders. */
  readonly name: string;
  readonly size: number;
  /** MD5 in hex. */
  readonly md5: string;
}

async function writeAll(handle: FileHandle, chunks: readonly Buffer[], size: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  // A disk that is nearly full takes a part. This goes on to the end, or throws.
  if (bytesWritten < size) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}

/**
 * Reads a part to its end.
 * @param path where the bytes of a larger file go
 */
export async function receivePart(source: Readable, path: string, name: string): Promise<ReceivedFile> {
  // The form's parser only tells of an error, and may do so before anybody reads.
  source.on('error', (error) => source.destroy(error));
  const hash = createHash('md5');
  let handle: FileHandle | undefined;
  let held: Buffer[] = [];
  let heldSize = 0;
  let size = 0;

  async function write(): Promise<void> {
    if (heldSize === 0) return;
    handle ??= await open(path, 'wx', 0o600);
    await writeAll(handle, held, heldSize);
    heldByAll -= heldSize;
    held = [];
    heldSize = 0;
  }

  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      held.push(chunk);
      heldSize += chunk.length;
      heldByAll += chunk.length;
      size += chunk.length;
      if (heldSize > HELD || heldByAll > HELD_BY_ALL) await write();
    }
    if (handle) {
      await write();
      await handle.sync();
    }
    return { content: handle ? path : Buffer.concat(held, heldSize), name, size, md5: hash.digest('hex') };
  } finally {
    heldByAll -= heldSize;
    await handle?.close();
  }
}
