/** Receives an uploaded file. A small file stays in memory, so that it never touches the disk if it is refused. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Bytes buffered between writes, and so the maximum size of a file kept in memory. Most web pictures fit. */
const HELD = 256 * 1024;
/** Maximum bytes buffered by all uploads together. Above it, each upload writes every chunk to disk as it arrives. */
const HELD_BY_ALL = 16 * 1024 * 1024;

let heldByAll = 0;

export interface ReceivedFile {
  /** The bytes, or the path of a synced file. */
  readonly content: Buffer | string;
  readonly name: string;
  readonly size: number;
  /** MD5 in hex. */
  readonly md5: string;
}

async function writeAll(handle: FileHandle, chunks: readonly Buffer[], size: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  // On an almost full disk the write may be partial; this writes the rest or throws.
  if (bytesWritten < size) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}

/** Keeps a small file in memory; writes a file larger than `HELD` to `path` as it arrives. */
export async function receivePart(source: Readable, path: string, name: string): Promise<ReceivedFile> {
  // The parser may emit an error before the stream is read, without destroying the stream. Destroying it here makes the
  // loop below throw.
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
