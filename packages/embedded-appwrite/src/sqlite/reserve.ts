/**
 * Reserves disk space in a file. If the disk is full, the file is shortened in small steps, because other processes
 * may take the freed space. Only writes that free space or sign a user in are allowed until the file has its full size
 * again.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from './store-error.ts';

export type ReserveLog = (level: 'info' | 'warn', message: string) => void;

export interface Reserve {
  readonly isHeld: boolean;
  /** Sets `isHeld` to false until the disk has space again. Call after a write failed because the disk was full. */
  noteFull(): void;
  /** Frees at least `bytes` (default 512 KiB) by shortening the file. Returns false if the file is too short. */
  give(bytes?: number): boolean;
  /** Stops checking for free space. Keeps the file for the next process. */
  close(): void;
}

const RESERVE_FILE = 'reserve';
/**
 * In bytes: twice the WAL size at which a checkpoint is due (4 MiB, see `checkpoint.ts`), once for the WAL itself and
 * once for the growth of the database.
 */
const SIZE = 8 * 1024 * 1024;
/** Bytes that must stay free after restoring the file, so that the next write does not fail again. */
const SPARE = 4 * 1024 * 1024;
const STEP = 512 * 1024;
/** Milliseconds between checks for free space. */
const RETRY_INTERVAL = 250;

export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Creates the reserve file in `directory` if there is enough space. */
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
        // Random bytes, because a compressing file system would reserve no space for zeros.
        const block = randomFillSync(Buffer.allocUnsafe(STEP));
        for (; size < SIZE; size += STEP) writeFileSync(descriptor, block);
      } finally {
        closeSync(descriptor);
      }
      return true;
    } catch {
      // The write failed although the disk reports free space: a disk quota may apply.
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
      log('info', 'The disk has free space again, and everything is saved as before.');
    }, RETRY_INTERVAL).unref();
  }

  function reportChange(): void {
    log('warn', `The disk is full at ${directory}. Until there is space, only deletions and sign-ins are saved.`);
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
const PROBE = 64 * 1024;

/**
 * Returns true if a full disk caused `error`. Checks an I/O error by writing a file, because SQLite reports an
 * exhausted disk quota as an I/O error.
 */
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
