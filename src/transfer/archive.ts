import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise } from 'yauzl';
import { OperatorError } from '#blog/errors.ts';
import { createRepairs, decodeHead, decodeText, type Repairs } from './decode-text.ts';

export interface Archive {
  readonly path: string;
  readonly isFolder: boolean;
  /** Sorted paths with `/` as the separator, relative to the folder or to the root of the zip file. */
  readonly names: readonly string[];
  /** Symbolic links in a folder. They are not in `names`. */
  readonly links: readonly { readonly name: string; readonly isFolder: boolean }[];
  readonly repairs: Repairs;
  /** Returns true for a file, or for a link to a file in the folder. */
  has(name: string): boolean;
  /** @throws OperatorError if the file is missing, damaged or larger than `most` bytes */
  read(name: string, most?: number): Promise<Buffer>;
  /** @throws OperatorError as `read` does, and if the file is binary or not in the detected encoding */
  text(name: string, most?: number): Promise<string>;
  stream(name: string): AsyncIterable<Buffer>;
  /** Returns the first 16 KiB as text. */
  head(name: string): Promise<string>;
  close(): Promise<void>;
}

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 500_000;
const HEAD_BYTES = 16_384;
/**
 * A zip file is rejected as a zip bomb if it unpacks to more than `BOMB_BYTES` and to more than `BOMB_RATIO` times its
 * own size.
 */
const BOMB_BYTES = 256 * 1024 * 1024;
const BOMB_RATIO = 200;

/** @throws OperatorError if `path` is missing, or a zip file is damaged, is a zip bomb or has paths outside its root */
export async function openArchive(path: string): Promise<Archive> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new OperatorError(`${path} does not exist.`);
  if (found.isDirectory()) return folderAt(path);
  if (await isZip(path)) return zipAt(path, found.size);
  const name = basename(path);
  return withReaders(
    { path, isFolder: false, names: [name], links: [] },
    (each) => each === name,
    async () => createReadStream(path),
  );
}

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    // The signature of the first member or, in an empty zip file, of the end record.
    return [0x504b0304, 0x504b0506].includes(buffer.readUInt32BE());
  } finally {
    await handle.close();
  }
}

/** Lists only regular files in `names`. A link in an untrusted folder could lead to any file on this machine. */
async function folderAt(path: string): Promise<Archive> {
  const names: string[] = [];
  const links: { name: string; isFolder: boolean }[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) await walk(`${below}${entry.name}/`);
      else if (entry.isFile()) names.push(below + entry.name);
      else if (entry.isSymbolicLink())
        links.push({ name: below + entry.name, isFolder: await isFolder(join(path, below, entry.name)) });
    }
  };
  await walk('');
  const root = realpathSync(path) + sep;
  const has = (name: string): boolean => {
    const file = join(path, name);
    return existsSync(file) && realpathSync(file).startsWith(root) && statSync(file).isFile();
  };
  links.sort((a, b) => (a.name < b.name ? -1 : 1));
  return withReaders({ path, isFolder: true, names: names.sort(), links }, has, async (name) =>
    createReadStream(join(path, name)),
  );
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

export function below(archive: Archive, folder: string): Archive {
  if (folder === '') return archive;
  return {
    ...archive,
    names: archive.names.flatMap((name) => (name.startsWith(folder) ? name.slice(folder.length) : [])),
    has: (name) => archive.has(folder + name),
    read: (name, most) => archive.read(folder + name, most),
    text: (name, most) => archive.text(folder + name, most),
    stream: (name) => archive.stream(folder + name),
    head: (name) => archive.head(folder + name),
  };
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
        throw new OperatorError(`${path} was refused, because its ${size} bytes would unpack to more than ${bytes}.`);
      if (entries.size > MOST_FILES) throw new OperatorError(`${path} has more than ${MOST_FILES} files.`);
      const { fileName } = entry;
      if (!/\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/.test(fileName)) entries.set(fileName, entry);
    }
  } catch (error) {
    zip.close();
    if (error instanceof OperatorError) throw error;
    refuse(error as Error);
  }
  const names = [...entries.keys()].sort();
  return withReaders(
    { path, isFolder: false, names, links: [] },
    (name) => entries.has(name),
    async (name) => zip.openReadStreamPromise(entries.get(name) as Entry),
    () => zip.close(),
  );
}

function withReaders(
  listed: Pick<Archive, 'path' | 'isFolder' | 'names' | 'links'>,
  has: Archive['has'],
  openStream: (name: string) => Promise<Readable>,
  close?: () => void,
): Archive {
  async function* stream(name: string): AsyncGenerator<Buffer> {
    if (!has(name)) throw new OperatorError(`${name} is not in ${listed.path}.`);
    try {
      for await (const chunk of await openStream(name)) yield chunk as Buffer;
    } catch (error) {
      throw new OperatorError(`${name} cannot be read: ${(error as Error).message}.`, { cause: error });
    }
  }
  const read = async (name: string, most = MOST_BYTES): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stream(name)) {
      length += chunk.length;
      if (length > most) throw new OperatorError(`${name} is larger than ${most / 1024 / 1024} MiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  const repairs = createRepairs();
  return {
    ...listed,
    repairs,
    has,
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
