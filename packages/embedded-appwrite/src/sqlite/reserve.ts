/**
 * Room that is kept for a full disk: a file that takes it up, and is shortened by as much as a write needs that frees room
 * or lets a person in; all others wait until the file could be made whole again. Bit by bit, as whoever else writes to the
 * disk may take what is left free.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../disk-full.ts';

export type ReserveLog = (level: 'info' | 'warn', message: string) => void;

export interface Reserve {
  /** False while the disk is full. */
  readonly isHeld: boolean;
  /** To be called when a write found no room. */
  noteFull(): void;
  /** Frees so many bytes, or a step of half a mebibyte; false where it has less than that left. */
  give(bytes?: number): boolean;
  /** Leaves the file for the next process. */
  close(): void;
}

const RESERVE_FILE = 'reserve';
/** Bytes: a log that is due (4 MiB, see `checkpoint.ts`) fits twice, once into the log and once into the database. */
const SIZE = 8 * 1024 * 1024;
/** Bytes that must be free beside it, so that the next write does not find the disk full again. */
const SPARE = 4 * 1024 * 1024;
const STEP = 512 * 1024;
/** Milliseconds between two looks at whether there is room again. */
const RETRY_INTERVAL = 250;

/** Bytes that are free for this process on the disk of `directory`. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Makes the file in `directory` where there is room for it. */
export function openReserve(directory: string, log: ReserveLog = () => {}): Reserve {
  const file = join(directory, RESERVE_FILE);
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let isHeld = complete();
  let timer: NodeJS.Timeout | undefined;

  function complete(): boolean {
    const former = size;
    try {
      if (freeBytes(directory) < (size < SIZE ? SIZE - size + SPARE : 0)) return false;
      if (size >= SIZE) return true;
      const descriptor = openSync(file, 'a', 0o600);
      try {
        // Random: a file system that compresses would keep no room for zeros.
        const block = randomFillSync(Buffer.allocUnsafe(STEP));
        for (; size < SIZE; size += STEP) writeFileSync(descriptor, block);
      } finally {
        closeSync(descriptor);
      }
      return true;
    } catch {
      // A quota may say less than the disk has.
      shorten(former);
      return false;
    }
  }

  function shorten(length: number): void {
    try {
      truncateSync(file, length);
      size = length;
    } catch {
      size = 0;
    }
  }

  function wait(): void {
    timer ??= setInterval(() => {
      if (freeBytes(directory) < SPARE || !complete()) return;
      isHeld = true;
      clearInterval(timer);
      timer = undefined;
      log('info', 'There is room on the disk again: everything is saved as before.');
    }, RETRY_INTERVAL).unref();
  }

  function reportChange(): void {
    log('warn', `The disk is full at ${directory}: until there is room, nothing is saved but deletions and sign-ins.`);
  }

  function noteFull(): void {
    if (!isHeld) return;
    isHeld = false;
    reportChange();
    wait();
  }

  if (!isHeld) {
    reportChange();
    wait();
  }
  return {
    get isHeld() {
      return isHeld;
    },
    noteFull,
    give(bytes = STEP) {
      noteFull();
      if (size < bytes) return false;
      shorten(Math.max(0, size - Math.ceil(bytes / STEP) * STEP));
      return true;
    },
    close() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** SQLITE_IOERR_WRITE. */
const WRITE_FAILED = 778;
/** Bytes. */
const PROBE = 64 * 1024;

/** True when `error`, of a write to a database in `directory`, means that there is no room. SQLite does not tell a used-up quota from a defect: a write of this module's own does. */
export function isForWantOfRoom(error: unknown, directory: string): boolean {
  if ((error as { errcode?: unknown }).errcode !== WRITE_FAILED) return isDiskFull(error);
  const file = join(directory, `.probe-${process.pid}`);
  try {
    writeFileSync(file, randomFillSync(Buffer.allocUnsafe(PROBE)), { mode: 0o600 });
    return false;
  } catch (fault) {
    return isDiskFull(fault);
  } finally {
    rmSync(file, { force: true });
  }
}
