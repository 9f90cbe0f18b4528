/** Makes one file of everything that a site is: `unzip` and `sqlite3` open it. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { FORMAT, MANIFEST, type Manifest, type Member } from './manifest.ts';
import { encrypt } from './passphrase.ts';
import { seal, UNSEALED } from './seal.ts';

/** The backend's folder below the data folder. */
export const BACKEND = 'backend';
/** What `mkfs` makes in the top folder of a disk: root's, and no data of a site. */
export const OF_THE_DISK = 'lost+found';
export const SERVER_KEY = 'server-key';
/** In place of the server key where there is a passphrase. */
export const ENCRYPTED_KEY = 'server-key.encrypted';
/** Made again when they are missing: stored pages, and the build's own files. */
const DERIVED: ReadonlySet<string> = new Set(['pages', 'assets']);
const TEMPORARY = '.backup-';
/** Begins the name of a folder in the data folder in which a backup is extracted. */
export const RESTORING = '.restoring-';
/** No backup takes a day, nor does a restore. */
const LEFT_OVER_MS = 24 * 3_600_000;

export interface BackupSource {
  readonly dataDirectory: string;
  /** Of the product. */
  readonly release: string;
  /** Copies the backend's data, as of one moment, into a folder that is not there yet. */
  readonly takeCopy: (target: string) => Promise<void>;
  /** What such a copy holds. */
  readonly countsOf: (copy: string) => Manifest['counts'];
  /** True for an error of `takeCopy` that says that its disk is full. */
  readonly isDiskFull: (error: unknown) => boolean;
  /** Encrypts the server key. */
  readonly passphrase?: string | undefined;
}

/**
 * Writes a backup to `out`, and ends that.
 * @param elsewhere a folder for the copy where the data's own disk is full; default: the system's for temporary files
 * @throws whatever the disk or `takeCopy` says.
 */
export async function writeBackup(source: BackupSource, out: Writable, elsewhere = tmpdir()): Promise<Manifest> {
  const { dataDirectory, release } = source;
  for (const folder of [dataDirectory, elsewhere]) await removeLeftOvers(folder);
  const temporary = await copyIn([dataDirectory, elsewhere], source);
  try {
    const copy = join(temporary, BACKEND);
    const made = new Date().toISOString();
    const contents = [...(await settingsIn(source)), ...(await filesIn(copy, BACKEND))];
    const members: Member[] = [];
    for (const content of contents) members.push(await memberOf(content));
    const manifest: Manifest = {
      product: 'common-ink',
      format: FORMAT,
      release,
      made,
      counts: source.countsOf(copy),
      members,
    };
    await pipeline(zipOf(manifest, contents).outputStream, seal(), out);
    return manifest;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Takes the copy in a new folder of the first folder that has room for it, and returns the new one. */
async function copyIn(folders: readonly [string, ...string[]], source: BackupSource): Promise<string> {
  const [folder, next, ...others] = folders;
  const { takeCopy, isDiskFull } = source;
  let temporary: string | undefined;
  try {
    temporary = await mkdtemp(join(folder, TEMPORARY));
    await takeCopy(join(temporary, BACKEND));
    return temporary;
  } catch (error) {
    if (temporary) await rm(temporary, { recursive: true, force: true });
    if (!isDiskFull(error) || next === undefined) throw error;
    return copyIn([next, ...others], source);
  }
}

/** The name of a backup that is not whole yet. */
export const partialOf = (file: string): string => `${file}.partial`;

/** As `writeBackup`, into a file that has its name when it is whole and on disk. */
export async function writeBackupFile(source: BackupSource, file: string): Promise<Manifest> {
  const partial = partialOf(file);
  try {
    const manifest = await writeBackup(source, createWriteStream(partial, { mode: 0o600, flush: true }), dirname(file));
    await rename(partial, file);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Of backups and restores that were killed. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isTemporary = name.startsWith(TEMPORARY) || name.startsWith(RESTORING);
    if (!isTemporary || Date.now() - (await stat(path)).mtimeMs < LEFT_OVER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Small and changed in place, so read once; or a file that nobody changes any more. */
type Content = { readonly name: string } & ({ readonly bytes: Buffer } | { readonly path: string });

/** Everything of the data folder beside the backend and what is derived. */
async function settingsIn({ dataDirectory, passphrase }: BackupSource): Promise<Content[]> {
  const contents: Content[] = [];
  for (const { name } of await readdir(dataDirectory, { withFileTypes: true })) {
    if (DERIVED.has(name) || name === BACKEND || name === OF_THE_DISK || name.startsWith('.')) continue;
    for (const path of await pathsBelow(join(dataDirectory, name))) {
      const bytes = await readFile(path);
      const inFolder = posix
        .join(name, path.slice(join(dataDirectory, name).length).split(sep).join('/'))
        .replace(/\/$/, '');
      const isSecret = inFolder === SERVER_KEY && passphrase;
      contents.push(isSecret ? { name: ENCRYPTED_KEY, bytes: encrypt(bytes, passphrase) } : { name: inFolder, bytes });
    }
  }
  return contents;
}

async function filesIn(folder: string, name: string): Promise<Content[]> {
  const paths = await pathsBelow(folder);
  return paths.toSorted().map((path) => ({ name: name + path.slice(folder.length).split(sep).join('/'), path }));
}

/** The files below a folder; a file is what is below itself. */
async function pathsBelow(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function memberOf(content: Content): Promise<Member> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of 'bytes' in content ? [content.bytes] : chunksOf(content.path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name: content.name, bytes, sha256: hash.digest('hex') };
}

/** Each chunk is to be used before the next is asked for: they share their bytes, since a stream's would pile up until they are collected. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Pictures are compressed already. */
function zipOf(manifest: Manifest, contents: readonly Content[]): ZipFile {
  const zip = new ZipFile();
  const mtime = new Date(manifest.made);
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`), MANIFEST, { mtime });
  for (const content of contents) {
    const options = { mtime, mode: 0o100600, compress: !content.name.startsWith(`${BACKEND}/storage/`) };
    if ('bytes' in content) zip.addBuffer(content.bytes, content.name, options);
    else zip.addFile(content.path, content.name, options);
  }
  zip.end({ comment: UNSEALED, forceZip64Format: false });
  return zip;
}
