/**
 * Sets outdated WALs aside. SQLite applies any WAL next to a database, so an older copy's WAL would undo later writes.
 */
import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Header field that SQLite leaves to applications. Here it counts how often the database was opened. */
const COUNT = 'application_id';
/** Offset of `application_id` in the database file (SQLite file format, 1.3). */
const COUNT_OFFSET = 68;
const LARGEST = 2 ** 31 - 1;

function countIn(database: DatabaseSync): number {
  return Number(database.prepare(`PRAGMA ${COUNT}`).get()?.[COUNT]);
}

/**
 * Returns the open count stored in the database file, ignoring the WAL. Reads the bytes directly: if a process was
 * killed during a checkpoint, the file's header may count pages that exist only in the WAL, and then SQLite refuses to
 * open the file without the WAL.
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
 * Renames the WAL of `file` if its open count is lower than the file's. Counts only grow and reach the file through the
 * WAL, so a WAL with a lower count is outdated. Call before anything else opens the file.
 * @returns the WAL's new path, if it was renamed
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

/** Increments the open count, which is written to the WAL. Throws SQLite's error when the disk is full. */
export function countOpening(database: DatabaseSync): void {
  database.exec(`PRAGMA ${COUNT} = ${Math.min(countIn(database) + 1, LARGEST)}`);
}
