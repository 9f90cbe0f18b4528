import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from './store.ts';

/**
 * Returns an identifier of the closed database. It changes whenever the database is opened, because opening calls
 * chmod; that updates `ctime`, which programs cannot reset. A copy differs in its inode. Returns undefined without a
 * database, and with a WAL, which shows that the database is open or was not closed.
 */
export function closedState(directory: string): string | undefined {
  const file = join(directory, DATABASE_FILE);
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) return undefined;
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
