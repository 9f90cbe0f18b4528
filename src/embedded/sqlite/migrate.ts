/** Brings a database file to the newest version, one transaction a step, after a copy of the file as it was. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from './migrations.ts';
import { StoreError } from './store-error.ts';

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** @param directory where the copy `backend.v<version>.<time>.sqlite` of an older database goes. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], directory: string): void {
  const current = userVersion(database);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new StoreError(
      `The database in ${directory} has version ${current}, this release knows versions up to ${newest}. Run the newer release, or restore the copy kept from before the upgrade.`,
    );
  }
  if (current > 0 && current < newest) {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    database.prepare('VACUUM INTO ?').run(join(directory, `backend.v${current}.${stamp}.sqlite`));
  }
  for (const { version, sql } of migrations) {
    if (version <= current) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw new StoreError(`The database could not be brought to version ${version}; it is unchanged.`, {
        cause: error,
      });
    }
  }
}
