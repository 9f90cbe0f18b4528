import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from './store.ts';

/**
 * Returns an identifier of the closed database. It changes whenever the database is opened: opening calls chmod, which
 * updates `ctime`, and programs cannot reset that. A copy has another inode. Returns undefined without a database, and
 * if a WAL shows that it is open or was not closed.
 */
export function closedState(directory: string): string | undefined {
  const file = join(directory, DATABASE_FILE);
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) return undefined;
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
