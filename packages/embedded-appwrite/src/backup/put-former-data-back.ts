/** Takes data back to the version of a former release, by the copy that was kept when they were brought to a newer one. */
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCopy } from '../sqlite/migrate.ts';
import { ownDirectory } from '../sqlite/owner.ts';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { StoreError } from '../sqlite/store-error.ts';
import { syncPath } from '../sqlite/sync-path.ts';

/**
 * Does nothing where the data have version `known` or an older one, so that it can be done again after it was cut off: the
 * database is the newer or the former one at any time, whole, since one rename exchanges them.
 * @returns the file that keeps what was written since, where there was something to do
 * @throws StoreError while a server has the folder, and where there is no copy.
 */
export function putFormerDataBack(directory: string, known: number): string | undefined {
  const database = join(directory, DATABASE_FILE);
  if (!existsSync(database)) return undefined;
  const owner = ownDirectory(directory);
  try {
    const version = closedVersion(database);
    if (version <= known) return undefined;
    const copies = readdirSync(directory).filter((name) => isCopy(name) && name.startsWith(`backend.v${known}.`));
    const copy = copies.toSorted().at(-1);
    if (!copy) {
      throw new StoreError(
        `There is no copy of version ${known} in ${directory}: put the backup back by npm run restore.`,
      );
    }
    const kept = join(directory, `backend.v${version}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.sqlite`);
    linkOrCopy(database, kept);
    syncPath(directory);
    renameSync(join(directory, copy), database);
    syncPath(directory);
    return kept;
  } finally {
    owner.release();
  }
}

/** The version; what is in the log is in the database afterwards, and no log is left, which would spoil another database. */
function closedVersion(file: string): number {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = DELETE');
    return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  } finally {
    database.close();
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // A file system without links.
    copyFileSync(from, to);
  }
}
