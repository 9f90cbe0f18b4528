/**
 * Restores a backup. Moves the old data to a folder next to the data folder, or inside the data folder if that
 * folder cannot be renamed.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ownDirectory } from 'embedded-appwrite';
import { OperatorError } from '#blog/errors.ts';
import type { Manifest } from './manifest.ts';
import { extractBackup } from './read-backup.ts';
import { BACKEND, OF_THE_DISK, RESTORING } from './write-backup.ts';

const LOCK_IS_IN_THE_WAY = process.platform === 'win32';

export interface RestoreOptions {
  readonly file: string;
  readonly dataDirectory: string;
  readonly passphrase?: string | undefined;
  readonly force: boolean;
  readonly faultsOf: (directory: string) => Promise<readonly string[]>;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly former?: string;
}

/**
 * Restores a backup after checking all of it. Locks the data folder, so that no server can use it during the restore.
 * @throws OperatorError if the backup is damaged, or if there is existing data and `force` is false; StoreError if a
 * server is using the folder
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, dataDirectory, passphrase, force, faultsOf } = options;
  const backend = join(dataDirectory, BACKEND);
  const isTaken = await holdsData(dataDirectory);
  const made = await mkdir(backend, { recursive: true, mode: 0o700 });
  const owner = ownDirectory(backend);
  const extracted = join(dataDirectory, `${RESTORING}${process.pid}`);
  try {
    if (isTaken && !force) {
      throw new OperatorError(
        `${dataDirectory} already contains data. Add --force to replace it with the backup; the old data is kept in another folder.`,
      );
    }
    // Removes leftovers of interrupted restores, even those named after this process's pid, because every run in a
    // container has the same pid.
    for (const name of await readdir(dataDirectory)) {
      if (name.startsWith(RESTORING)) await rm(join(dataDirectory, name), { recursive: true, force: true });
    }
    const manifest = await extractBackup(file, extracted, passphrase);
    const [fault] = await faultsOf(extracted);
    if (fault) throw new OperatorError(`The backup contains damaged data. ${fault}`);
    if (LOCK_IS_IN_THE_WAY) owner.release();
    const former = await exchange(dataDirectory, extracted);
    if (isTaken) return { manifest, former };
    // Deletes the former folder, which contains only the lock. A failure is harmless, because the backup is in place.
    await rm(former, { recursive: true, force: true }).catch(() => {});
    return { manifest };
  } catch (error) {
    if (LOCK_IS_IN_THE_WAY) owner.release();
    if (made) await rm(made, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(extracted, { recursive: true, force: true });
    owner.release();
  }
}

async function holdsData(dataDirectory: string): Promise<boolean> {
  if (!existsSync(dataDirectory)) return false;
  const names = (await readdir(dataDirectory)).filter((name) => !name.startsWith(RESTORING) && name !== OF_THE_DISK);
  if (names.some((name) => name !== BACKEND)) return true;
  return names.length > 0 && (await readdir(join(dataDirectory, BACKEND))).some((name) => !name.startsWith('owner.'));
}

/** Error codes of a rename that fails because of a mount point, a read-only parent folder or another disk. */
const FIXED: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EACCES', 'EPERM', 'EROFS', 'EXDEV']);

async function exchange(dataDirectory: string, extracted: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  try {
    return await exchangeFolders(dataDirectory, extracted, `${dataDirectory}.before-${time}`);
  } catch (error) {
    if (!FIXED.has((error as NodeJS.ErrnoException).code)) throw error;
    // Uses a hidden folder, because backups and the server ignore names that begin with a dot.
    return await exchangeEntries(dataDirectory, extracted, join(dataDirectory, `.before-${time}`));
  }
}

async function exchangeFolders(dataDirectory: string, extracted: string, former: string): Promise<string> {
  await rename(dataDirectory, former);
  try {
    await rename(join(former, basename(extracted)), dataDirectory);
  } catch (error) {
    await rename(former, dataDirectory);
    throw error;
  }
  return former;
}

/**
 * Moves the old backend out last and the new one in first, because a server started while there is no backend would
 * create an empty database.
 */
async function exchangeEntries(dataDirectory: string, extracted: string, former: string): Promise<string> {
  await mkdir(former, { mode: 0o700 });
  const others = (names: readonly string[]) =>
    names.filter((name) => !name.startsWith('.') && name !== BACKEND && name !== OF_THE_DISK);
  const moved: [from: string, to: string][] = [];
  const move = async (name: string, from: string, to: string) => {
    await rename(join(from, name), join(to, name));
    moved.push([join(from, name), join(to, name)]);
  };
  try {
    for (const name of [...others(await readdir(dataDirectory)), BACKEND]) await move(name, dataDirectory, former);
    for (const name of [BACKEND, ...others(await readdir(extracted))]) await move(name, extracted, dataDirectory);
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await rename(to, from);
    await rmdir(former);
    throw error;
  }
  return former;
}
