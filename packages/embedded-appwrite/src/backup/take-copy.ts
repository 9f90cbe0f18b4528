/** Copies a consistent snapshot of the backend's data while another process has it open. */
import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { StoreError } from '../sqlite/store-error.ts';
import { isBlobName } from '../storage/blobs.ts';

const FILES = join('storage', 'files');
/** Pages per step of SQLite's backup: all of them, because a write between two steps would restart the backup. */
const WHOLE = 2 ** 31 - 1;
/** Maximum attempts. A file that is deleted during the copy forces another attempt. */
const TRIES = 5;
const NAMED = 20;

/**
 * Copies the data in `directory` into the new folder `target`. On the same disk, files are hard-linked, which takes no
 * extra space and is safe because a complete blob never changes.
 * @throws StoreError when there is no database, a file is missing, or files are deleted faster than they can be linked
 */
export async function takeCopy(directory: string, target: string): Promise<void> {
  await mkdir(join(target, FILES), { recursive: true, mode: 0o700 });
  let formerlyMissing: readonly string[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // Links the files first: the copied database may reference a file that is deleted while the copy is being made.
    await linkAll(directory, target);
    const ids = await copyDatabase(directory, target);
    const missing = await linkEach(directory, target, ids.keys());
    if (missing.length === 0) return removeOthers(target, ids);
    // Deleting a file deletes its row first, so the next attempt does not look for it. A file missing twice is lost.
    const lost = missing.filter((blob) => formerlyMissing.includes(blob));
    if (lost.length > 0) {
      const names = lost.slice(0, NAMED).map((blob) => `${ids.get(blob)} (${placeOf(blob).split(sep).join('/')})`);
      const more = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : '';
      throw new StoreError(
        `The copy would be incomplete, because stored files are missing in ${directory}: ${names.join(', ')}${more}. ` +
          'npm run doctor gives the command that restores each from the last backup.',
      );
    }
    formerlyMissing = missing;
  }
  throw new StoreError('Files are being deleted faster than they can be copied. Try again later.');
}

/** Removes files without a complete row, because an upload that is still running would change them later. */
async function removeOthers(target: string, ids: ReadonlyMap<string, string>): Promise<void> {
  for (const folder of await readdir(join(target, FILES))) {
    for (const blob of await readdir(join(target, FILES, folder))) {
      if (!ids.has(blob)) await rm(join(target, FILES, folder, blob));
    }
  }
}

/** Copies the database and returns the file ids by blob name. */
async function copyDatabase(directory: string, target: string): Promise<Map<string, string>> {
  const source = open(join(directory, DATABASE_FILE));
  const file = join(target, DATABASE_FILE);
  try {
    await backup(source, file, { rate: WHOLE });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(file);
  try {
    // Turns off WAL mode, so that the copy is a single file.
    copy.exec('PRAGMA journal_mode = DELETE');
    const rows = copy.prepare('SELECT blob, id FROM files WHERE chunks_uploaded >= chunks_total').all();
    return new Map(rows.map(({ blob, id }) => [`${blob}`, `${id}`]));
  } finally {
    copy.close();
  }
}

function open(file: string): DatabaseSync {
  try {
    // Opens the database writable: without a running server, SQLite may have to create the WAL index.
    const database = new DatabaseSync(file, { open: true });
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON');
    return database;
  } catch (error) {
    throw new StoreError(`The database ${file} is missing or cannot be read.`, { cause: error });
  }
}

async function linkAll(directory: string, target: string): Promise<void> {
  for (const folder of await readdir(join(directory, FILES)).catch(() => [])) {
    await linkEach(directory, target, await readdir(join(directory, FILES, folder)));
  }
}

const placeOf = (blob: string): string => join(FILES, blob.slice(0, 2), blob);

async function linkEach(directory: string, target: string, blobs: Iterable<string>): Promise<string[]> {
  const missing: string[] = [];
  for (const blob of blobs) {
    if (!isBlobName(blob)) {
      missing.push(blob);
      continue;
    }
    const place = placeOf(blob);
    await mkdir(dirname(join(target, place)), { recursive: true, mode: 0o700 });
    if (!(await linkOrCopy(join(directory, place), join(target, place)))) missing.push(blob);
  }
  return missing;
}

async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    // The file system has no hard links, or the target is on another disk.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK' && code !== 'EXDEV') throw error;
    await copyFile(from, to);
    return true;
  }
}
