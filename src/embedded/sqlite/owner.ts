/**
 * One process at a time has a data folder: caches, sequences and the sweep of left-over uploads rely on it. The lock is an
 * SQLite file of its own, held open in an exclusive transaction, so that it ends with its holder however that ends, and
 * the database itself stays readable for a backup taken beside the running server.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store-error.ts';

export interface Owner {
  /** Lets the folder go. */
  release(): void;
  /** Runs `open`, and lets the folder go when that fails. */
  open<T>(open: () => T): T;
}

const LOCK_FILE = 'owner.lock';
/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Takes a folder, making it when missing.
 * @throws StoreError at once when another process, or another backend of this one, has it.
 */
export function ownDirectory(directory: string): Owner {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(directory, LOCK_FILE));
  try {
    // In memory: the lock never writes, so that it needs no journal beside it.
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    throw new StoreError(
      `The data in ${directory} is in use by another process: stop that one first, or choose another data folder.`,
      { cause: error },
    );
  }
  const release = () => {
    if (lock.isOpen) lock.close();
  };
  return {
    release,
    open(open) {
      try {
        return open();
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
