/** SQLite applies any log (WAL) beside a database, so a log restored by a copy would silently undo later writes. */
import { renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Header field that SQLite leaves to applications; here it counts how often the database was opened. */
const COUNT = 'application_id';
const LARGEST = 2 ** 31 - 1;

function countIn(database: DatabaseSync): number {
  return Number(database.prepare(`PRAGMA ${COUNT}`).get()?.[COUNT]);
}

/** Returns the count in the file without its log. */
function countInFile(file: string): number {
  const database = new DatabaseSync(new URL(`${pathToFileURL(file)}?immutable=1`), { readOnly: true });
  try {
    return countIn(database);
  } finally {
    database.close();
  }
}

/**
 * Renames the log of `file` when its count is lower than the file's: the count only grows, and reaches the file through
 * the log. Call it before anything else opens the file.
 * @returns the log's new path, if it was renamed
 * @throws SQLite's error for a file that it cannot read
 */
export function setOldLogAside(file: string): string | undefined {
  const log = `${file}-wal`;
  const found = statSync(log, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return undefined;
  const inFile = countInFile(file);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    if (countIn(database) >= inFile) return undefined;
  } finally {
    database.close();
  }
  const aside = `${log}.old-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(log, aside);
  rmSync(`${file}-shm`, { force: true });
  return aside;
}

/** Counts an opening, in the log. Throws SQLite's error when the disk is full. */
export function countOpening(database: DatabaseSync): void {
  database.exec(`PRAGMA ${COUNT} = ${Math.min(countIn(database) + 1, LARGEST)}`);
}
