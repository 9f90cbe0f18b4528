/** Keeps a copy of an older database, then migrates the original, with one transaction per version. */
import { closeSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from './migrations.ts';
import { isDiskFull, StoreError } from './store-error.ts';
import { syncPath } from './sync-path.ts';

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

export const isCopy = (name: string): boolean => /^backend\.v\d+\..+\.sqlite$/.test(name);

/** Matches unfinished copies. A copy is renamed once it is complete and on disk. */
const PART = /^backend\.v\d+\..+\.sqlite\.part/;

/** Copies the database. Creates the file with its final mode beforehand, so that only its owner can ever read it. */
function keepCopy(database: DatabaseSync, version: number, directory: string): void {
  for (const name of readdirSync(directory)) if (PART.test(name)) rmSync(join(directory, name));
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const copy = join(directory, `backend.v${version}.${stamp}.sqlite`);
  const part = `${copy}.part`;
  try {
    closeSync(openSync(part, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(part);
    syncPath(part);
    renameSync(part, copy);
    syncPath(directory);
  } catch (error) {
    for (const name of [part, `${part}-journal`]) rmSync(name, { force: true });
    if (!isDiskFull(error)) throw error;
    throw new StoreError(
      `The disk is full: there is not enough space in ${directory} for the copy that is made before an upgrade. Free as much space as backend.sqlite takes, then start again. The data is unchanged.`,
      { cause: error },
    );
  }
}

/** @param directory the folder into which an older database is copied, as `backend.v<version>.<time>.sqlite` */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], directory: string): void {
  const current = userVersion(database);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new StoreError(
      `The database in ${directory} has version ${current}, but this release only knows versions up to ${newest}. Run the newer release, or restore the copy from before the upgrade.`,
    );
  }
  if (current > 0 && current < newest) keepCopy(database, current, directory);
  for (const { version, sql, run } of migrations) {
    if (version <= current) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(sql);
      run?.(database);
      database.exec(`PRAGMA user_version = ${version}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const why = isDiskFull(error)
        ? ' The disk is full: free some space, then start again.'
        : ` SQLite says: ${(error as Error).message}.`;
      throw new StoreError(
        `The database in ${directory} could not be upgraded to version ${version} and is unchanged.${why}`,
        {
          cause: error,
        },
      );
    }
  }
}
