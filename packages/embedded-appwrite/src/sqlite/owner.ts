/**
 * Ensures that only one process owns a data folder, because caches, sequences and the clean-up of unfinished uploads
 * rely on that. The lock is an exclusive transaction on a separate SQLite file, so the system releases it when the
 * process ends, and the database itself stays readable for a backup.
 */
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store-error.ts';

export interface Holder {
  readonly pid: number;
  readonly host: string;
}

export interface Owner {
  release(): void;
  open<T>(open: () => T): T;
}

const LOCK_FILE = 'owner.lock';
/** Contains the owner's process id and host name. Valid only while the lock is held. */
const NAME_FILE = 'owner.pid';
const BUSY = 5;
const NOT_A_DATABASE = 26;

/** Locks the folder. Throws StoreError immediately if another process, or another backend in this process, owns it. */
export function ownDirectory(directory: string): Owner {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = openLock(directory);
  try {
    take(lock, directory);
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    const holder = holderOf(directory);
    const name = holder ? ` (pid ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`})` : '';
    throw new StoreError(
      `The data in ${directory} is in use by another process${name}. Stop that process first, or choose another data folder.`,
      { cause: error },
    );
  }
  sayWho(directory);
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

function openLock(directory: string): DatabaseSync {
  const file = join(directory, LOCK_FILE);
  try {
    return new DatabaseSync(file);
  } catch (error) {
    throw new StoreError(`${file} cannot be opened (${(error as Error).message}). Delete it, then start again.`, {
      cause: error,
    });
  }
}

function take(lock: DatabaseSync, directory: string): void {
  // Keeps the journal in memory, because the lock never writes and needs no journal file.
  const lockIt = () => lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  try {
    lockIt();
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== NOT_A_DATABASE) throw error;
    // Empties the damaged lock file, which never contains data.
    truncateSync(join(directory, LOCK_FILE));
    lockIt();
  }
}

/** Records the owner's pid and host for error messages. Ignores errors, such as a full disk: only the lock matters. */
function sayWho(directory: string): void {
  try {
    writeFileSync(join(directory, NAME_FILE), `${process.pid} ${hostname()}\n`, { mode: 0o600 });
  } catch {}
}

function holderOf(directory: string): Holder | undefined {
  try {
    const [pid, host = ''] = readFileSync(join(directory, NAME_FILE), 'utf8').trim().split(' ');
    return Number(pid) > 0 ? { pid: Number(pid), host } : undefined;
  } catch {
    return undefined;
  }
}

export function currentHolder(directory: string): Holder | 'unknown' | undefined {
  if (!existsSync(join(directory, LOCK_FILE))) return undefined;
  try {
    ownDirectory(directory).release();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return holderOf(directory) ?? 'unknown';
  }
}
