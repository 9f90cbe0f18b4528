import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from './store.ts';

/**
 * Returns a fingerprint of the closed database. Opening the database changes the fingerprint: `openDatabase` calls
 * chmod, which updates `ctime`, and no program can set `ctime` back. A copy has another inode. Returns undefined if
 * there is no database, or if there is a WAL: the database is then open or was not closed cleanly.
 */
export function closedState(directory: string): string | undefined {
  const file = join(directory, DATABASE_FILE);
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) return undefined;
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
