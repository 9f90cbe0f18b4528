import { copyFileSync, existsSync, linkSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCopy } from '../sqlite/migrate.ts';
import { ownDirectory } from '../sqlite/owner.ts';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { StoreError } from '../sqlite/store-error.ts';
import { syncPath } from '../sqlite/sync-path.ts';

/**
 * Restores the latest copy of schema version `known` that `migrate` kept. Does nothing if the data already has that
 * version or an older one, so an interrupted run can be repeated. A single rename swaps the databases, so the folder
 * always contains a complete one.
 * @returns the file in which the newer database is kept; undefined if nothing was restored
 * @throws StoreError if a server owns the folder or the copy is missing
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
        `There is no copy of version ${known} in ${directory}. Restore the backup with npm run restore.`,
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

/** Returns the schema version. Turns off WAL mode, because SQLite would apply a leftover WAL to the restored data. */
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
    // The file system does not support hard links.
    copyFileSync(from, to);
  }
}
