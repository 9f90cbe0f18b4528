/** What another platform exported, whether it is a folder, a zip file or one file: its files by their paths. */

import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise } from 'yauzl';
import { OperatorError } from '#blog/errors.ts';
import { createRepairs, decodeHead, decodeText, type Repairs } from './decode-text.ts';

export interface Archive {
  readonly path: string;
  readonly isFolder: boolean;
  /** Paths with `/` below the folder or in the zip file, sorted. */
  readonly names: readonly string[];
  /** Faults of the texts read so far. */
  readonly repairs: Repairs;
  /** @throws OperatorError where it has more than `most` bytes or is damaged. */
  read(name: string, most?: number): Promise<Buffer>;
  /** As `read`, as text. @throws OperatorError also where it is in another encoding, or no text. */
  text(name: string, most?: number): Promise<string>;
  /** Its bytes as they come. */
  stream(name: string): AsyncIterable<Buffer>;
  /** Its beginning as text. */
  head(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Bytes of a text. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 500_000;
const HEAD_BYTES = 16_384;
/** A zip file that grows beyond this, and so many times over, was made to fill a disk or a memory. */
const BOMB_BYTES = 256 * 1024 * 1024;
const BOMB_RATIO = 200;

/** @throws OperatorError where there is nothing, or a zip file that is damaged, climbs out of its folder or is a bomb. */
export async function openArchive(path: string): Promise<Archive> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new OperatorError(`There is nothing at ${path}.`);
  if (found.isDirectory()) return folderAt(path);
  if (await isZip(path)) return zipAt(path, found.size);
  const name = basename(path);
  return withReaders(path, false, [name], async () => createReadStream(path), undefined);
}

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    // The first member, or the end of a file without one.
    return [0x504b0304, 0x504b0506].includes(buffer.readUInt32BE());
  } finally {
    await handle.close();
  }
}

/** Gives what lies in the folder: symbolic links and paths in a folder that somebody else made could lead to any file of this machine. */
async function folderAt(path: string): Promise<Archive> {
  const names: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) await walk(`${below}${entry.name}/`);
      else if (entry.isFile()) names.push(below + entry.name);
    }
  };
  await walk('');
  const known = new Set(names);
  const stream = async (name: string) => {
    if (!known.has(name)) throw new OperatorError(`${name} is not in ${path}.`);
    return createReadStream(join(path, name));
  };
  return withReaders(path, true, names.sort(), stream, undefined);
}

async function zipAt(path: string, size: number): Promise<Archive> {
  const refuse = (error: Error): never => {
    throw new OperatorError(`${path} cannot be opened as a zip file: ${error.message}.`, { cause: error });
  };
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true }).catch(refuse);
  const entries = new Map<string, Entry>();
  try {
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > BOMB_BYTES && bytes > size * BOMB_RATIO)
        throw new OperatorError(`${path} is refused: its ${size} bytes would unpack to more than ${bytes}.`);
      if (entries.size > MOST_FILES) throw new OperatorError(`${path} has more than ${MOST_FILES} files.`);
      const { fileName } = entry;
      if (!/\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/.test(fileName)) entries.set(fileName, entry);
    }
  } catch (error) {
    zip.close();
    if (error instanceof OperatorError) throw error;
    refuse(error as Error);
  }
  const stream = async (name: string) => {
    const entry = entries.get(name);
    if (!entry) throw new OperatorError(`${name} is not in ${path}.`);
    return zip.openReadStreamPromise(entry);
  };
  return withReaders(path, false, [...entries.keys()].sort(), stream, () => zip.close());
}

function withReaders(
  path: string,
  isFolder: boolean,
  names: readonly string[],
  openStream: (name: string) => Promise<Readable>,
  close: (() => void) | undefined,
): Archive {
  async function* stream(name: string): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await openStream(name)) yield chunk as Buffer;
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      throw new OperatorError(`${name} cannot be read: ${(error as Error).message}.`, { cause: error });
    }
  }
  const read = async (name: string, most = MOST_BYTES): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stream(name)) {
      length += chunk.length;
      if (length > most) throw new OperatorError(`${name} has more than ${most / 1024 / 1024} MiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  const repairs = createRepairs();
  return {
    path,
    isFolder,
    names,
    repairs,
    stream,
    read,
    async text(name, most) {
      return decodeText(name, await read(name, most), repairs);
    },
    async head(name) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream(name)) {
        chunks.push(chunk);
        if (chunks.reduce((sum, each) => sum + each.length, 0) >= HEAD_BYTES) break;
      }
      return decodeHead(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
    },
    async close() {
      close?.();
    },
  };
}
