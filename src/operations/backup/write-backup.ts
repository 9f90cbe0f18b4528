import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from 'embedded-appwrite';
import { ZipFile } from 'yazl';
import { FORMAT, MANIFEST, type Manifest, type Member } from './manifest.ts';
import { encrypt } from './passphrase.ts';
import { seal, UNSEALED } from './seal.ts';

export const BACKEND = 'backend';
/** `mkfs` creates this folder at the root of a file system, so it is not part of the data. */
export const OF_THE_DISK = 'lost+found';
export const SERVER_KEY = 'server-key';
export const ENCRYPTED_KEY = 'server-key.encrypted';
const DERIVED: ReadonlySet<string> = new Set(['pages', 'assets']);
const TEMPORARY = '.backup-';
export const RESTORING = '.restoring-';
/** Temporary folders older than this are leftovers, because no backup or restore takes a day. */
const LEFT_OVER_MS = 24 * 3_600_000;

export interface BackupSource {
  readonly dataDirectory: string;
  readonly release: string;
  readonly takeCopy: (target: string) => Promise<void>;
  readonly countsOf: (copy: string) => Manifest['counts'];
  readonly passphrase?: string | undefined;
}

/**
 * Writes a backup to `out`. First copies the backend's data into the data folder, or into `elsewhere` if that disk
 * is full.
 * @throws an error from the disk or from `takeCopy`
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

async function copyIn(folders: readonly [string, ...string[]], source: BackupSource): Promise<string> {
  const [folder, next, ...others] = folders;
  let temporary: string | undefined;
  try {
    temporary = await mkdtemp(join(folder, TEMPORARY));
    await source.takeCopy(join(temporary, BACKEND));
    return temporary;
  } catch (error) {
    if (temporary) await rm(temporary, { recursive: true, force: true });
    if (!isDiskFull(error) || next === undefined) throw error;
    return copyIn([next, ...others], source);
  }
}

export const partialOf = (file: string): string => `${file}.partial`;

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

async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isTemporary = name.startsWith(TEMPORARY) || name.startsWith(RESTORING);
    if (!isTemporary || Date.now() - (await stat(path)).mtimeMs < LEFT_OVER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

type Content = { readonly name: string } & ({ readonly bytes: Buffer } | { readonly path: string });

async function settingsIn({ dataDirectory, passphrase }: BackupSource): Promise<Content[]> {
  const contents: Content[] = [];
  for (const { name } of await readdir(dataDirectory, { withFileTypes: true })) {
    if (DERIVED.has(name) || name === BACKEND || name === OF_THE_DISK || name.startsWith('.')) continue;
    for (const path of await pathsBelow(join(dataDirectory, name))) {
      const bytes = await readFile(path);
      const inFolder = relative(dataDirectory, path).split(sep).join('/');
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

/**
 * Yields chunks in one shared buffer, so the caller must use each chunk before requesting the next. The separate
 * buffers of a stream would pile up in memory.
 */
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
