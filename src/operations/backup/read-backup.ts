/** Extracts a backup into a folder. Accepts only files whose hashes match the manifest. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { OperatorError } from '#blog/errors.ts';
import { FORMAT, MANIFEST, type Manifest, type Member, manifestSchema } from './manifest.ts';
import { decrypt } from './passphrase.ts';
import { isSealed } from './seal.ts';
import { ENCRYPTED_KEY, SERVER_KEY } from './write-backup.ts';

/** Maximum size of the manifest in bytes, enough for a quarter of a million files. */
const LARGEST_MANIFEST = 64 * 1024 * 1024;

/** @throws OperatorError if the file is not a backup, is damaged anywhere, or is from a newer release */
export async function extractBackup(file: string, target: string, passphrase?: string): Promise<Manifest> {
  if (!(await isSealed(file)))
    throw new OperatorError(`${file} is damaged, incomplete or not a backup: its checksum does not match.`);
  const zip = await openPromise(file, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true }).catch(
    (error: Error) => {
      throw new OperatorError(`${file} cannot be opened: ${error.message}`, { cause: error });
    },
  );
  try {
    return await extract(zip, target, passphrase);
  } finally {
    zip.close();
  }
}

/** Returns true if the backup's server key is encrypted with a passphrase. Rejects if the file is not a zip file. */
export async function isKeyEncrypted(file: string): Promise<boolean> {
  const zip = await openPromise(file, { lazyEntries: true });
  try {
    for await (const { fileName } of entriesOf(zip)) if (fileName === ENCRYPTED_KEY) return true;
    return false;
  } finally {
    zip.close();
  }
}

async function extract(zip: ZipFile, target: string, passphrase: string | undefined): Promise<Manifest> {
  const entries = entriesOf(zip);
  const first = await entries.next();
  if (first.done || first.value.fileName !== MANIFEST)
    throw new OperatorError(`The backup does not begin with ${MANIFEST}.`);
  const manifest = await manifestOf(zip, first.value);
  const expected = new Map(manifest.members.map((member) => [member.name, member]));
  await mkdir(target, { recursive: true, mode: 0o700 });
  for await (const entry of entries) {
    const member = expected.get(entry.fileName);
    if (!member) throw new OperatorError(`${entry.fileName} is in the backup but not in its manifest.`);
    expected.delete(entry.fileName);
    await extractMember(await zip.openReadStreamPromise(entry), member, join(target, ...member.name.split('/')));
  }
  const [missing] = expected.keys();
  if (missing) throw new OperatorError(`${missing} is in the manifest but not in the backup.`);
  if (manifest.members.some(({ name }) => name === ENCRYPTED_KEY)) {
    const key = decrypt(await readFile(join(target, ENCRYPTED_KEY)), passphrase);
    await writeFile(join(target, SERVER_KEY), key, { mode: 0o600 });
  }
  return manifest;
}

/** @throws OperatorError if the zip file's list of entries is damaged */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry, void, void> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw new OperatorError(`The backup’s list of files is damaged: ${(error as Error).message}`, { cause: error });
  }
}

async function manifestOf(zip: ZipFile, entry: Entry): Promise<Manifest> {
  if (entry.uncompressedSize > LARGEST_MANIFEST) throw new OperatorError('The backup’s manifest is too large.');
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  let manifest: Manifest;
  try {
    manifest = manifestSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    throw new OperatorError('This release cannot read the backup’s manifest.');
  }
  if (manifest.format > FORMAT)
    throw new OperatorError('A newer release made this backup. Restore it with that release.');
  return manifest;
}

async function extractMember(stream: Readable, { name, bytes, sha256 }: Member, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > bytes) throw new OperatorError(`${name} is longer than the manifest says.`);
      hash.update(chunk);
      await handle.write(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (length !== bytes || hash.digest('hex') !== sha256)
    throw new OperatorError(`${name} does not match the manifest.`);
}
