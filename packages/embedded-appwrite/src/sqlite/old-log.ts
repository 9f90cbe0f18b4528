/** SQLite applies any log (WAL) beside a database, so a log restored by a copy would silently undo later writes. */
import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Header field that SQLite leaves to applications; here it counts how often the database was opened. */
const COUNT = 'application_id';
/** Its place in the file (SQLite's file format, 1.3). */
const COUNT_OFFSET = 68;
const LARGEST = 2 ** 31 - 1;

function countIn(database: DatabaseSync): number {
  return Number(database.prepare(`PRAGMA ${COUNT}`).get()?.[COUNT]);
}

/**
 * Returns the count in the file without its WAL. Reads the bytes, because SQLite refuses a file whose process was
 * killed during a checkpoint: the header may count pages that are still only in the WAL.
 */
function countInFile(file: string): number {
  const count = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, count, 0, count.length, COUNT_OFFSET);
    return count.readInt32BE();
  } finally {
    closeSync(descriptor);
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
  const database = new DatabaseSync(file, { readOnly: true });
  let inLog: number;
  try {
    inLog = countIn(database);
  } finally {
    database.close();
  }
  if (inLog >= countInFile(file)) return undefined;
  const aside = `${log}.old-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(log, aside);
  rmSync(`${file}-shm`, { force: true });
  return aside;
}

/** Increments the count of openings, in the WAL. Throws SQLite's error when the disk is full. */
export function countOpening(database: DatabaseSync): void {
  database.exec(`PRAGMA ${COUNT} = ${Math.min(countIn(database) + 1, LARGEST)}`);
}
