/** Tells whether the database was opened since it was closed. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from './store.ts';

/**
 * Names the database in `directory` as it lies there, to be compared with what it was called after it was closed: every
 * opening sets its mode, and with it the time of its last change, which nobody can set back; a copy is another file.
 * Undefined where there is none, and where a log shows that it was not closed, or is open.
 */
export function closedState(directory: string): string | undefined {
  const file = join(directory, DATABASE_FILE);
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) return undefined;
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
