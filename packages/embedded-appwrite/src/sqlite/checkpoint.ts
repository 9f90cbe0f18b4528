/**
 * Moves what is in the log (WAL) into the database file, in a thread of its own and when nobody writes. SQLite would do
 * it within a commit, where syncing the file makes everybody wait for 30 to 80 ms; beside a commit it makes the writer
 * wait, as a disk does one sync at a time.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, Worker } from 'node:worker_threads';
import { DiskFull, isDiskFull } from '../disk-full.ts';
import { freeBytes } from './reserve.ts';

/** Pages of the log (4 KiB each) after which it is time; SQLite's own measure. */
const DUE = 1000;
/** Pages from which on it does not wait any longer (32 MiB). */
const OVERDUE = 8 * DUE;
/** Pages of the log from which on it is brought to its end within a commit: a thread beside busy writers never meets it. */
const LONG = 16 * DUE;
/** Milliseconds without a commit. */
const QUIET = 250;
/** Milliseconds until a checkpoint that failed is tried again. */
const LATER = 2000;
/** Bytes of the disk that a checkpoint leaves to the log: without them not even what frees room could be written. */
const LEFT_TO_LOG = 1024 * 1024;

/** Mebibytes: SQLite has its own, outside of these. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface Checkpoints {
  /** Called after commits. */
  look(): void;
  /** Resolves when the thread has ended. */
  close(): Promise<void>;
}

interface State {
  /** Pages that the log holds, and how many of them are in the database file as well. */
  readonly log: number;
  readonly checkpointed: number;
}

export interface CheckpointOptions {
  /** Called for the first of several consecutive checkpoints that fail. */
  readonly report: (error: unknown) => void;
  /** Asked for so many bytes of a full disk, or for some; false where it has them not. */
  readonly makeRoom: (bytes?: number) => boolean;
}

/** The thread's answer. A message between threads keeps only the text of an error. */
interface Done {
  readonly failure: { readonly message: string; readonly errcode: unknown } | undefined;
}

/**
 * @param file the database of `database`, which must not checkpoint by itself (`wal_autocheckpoint = 0`). Nothing here
 * throws: what could not be moved stays in the log, where it is as safe, until the next time.
 */
export function openCheckpoints(
  database: DatabaseSync,
  file: string,
  { report, makeRoom }: CheckpointOptions,
): Checkpoints {
  const state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const pages = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()');
  let thread: Worker | undefined;
  let isUnderWay = false;
  let pause: NodeJS.Timeout | undefined;
  /** Set after a failure, until it is tried again. */
  let later: NodeJS.Timeout | undefined;
  let isReported = false;

  function start(): void {
    pause = undefined;
    later = undefined;
    attempt(() => {
      requireRoom();
      let worker: Worker;
      try {
        worker = running();
      } catch {
        // No thread can be had.
        move.get();
        return;
      }
      worker.postMessage('checkpoint');
      isUnderWay = true;
    });
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      failed(error);
    }
  }

  function failed(error: unknown): void {
    if (!isReported) report(error);
    isReported = true;
    if (isDiskFull(error) && !(error instanceof DiskFull)) makeRoom();
    clearTimeout(pause);
    later ??= setTimeout(start, LATER).unref();
  }

  /** A checkpoint that ends half-way for want of room has used up what was left of it. */
  function requireRoom(): void {
    const growth = Number(pages.get()?.bytes) - statSync(file).size;
    const missing = growth + LEFT_TO_LOG - freeBytes(dirname(file));
    if (growth > 0 && missing > 0 && !makeRoom(missing)) {
      throw new DiskFull('There is no room to move the log into the database.');
    }
  }

  function running(): Worker {
    if (thread) return thread;
    const worker = new Worker(`(${checkpointer})()`, { eval: true, workerData: file, resourceLimits: LIMITS });
    worker.unref();
    worker.on('message', done);
    // Without its thread the log is moved all the same.
    worker.on('error', () => attempt(() => move.get()));
    worker.on('exit', () => {
      if (thread === worker) thread = undefined;
      isUnderWay = false;
    });
    thread = worker;
    return worker;
  }

  function done({ failure }: Done): void {
    isUnderWay = false;
    attempt(() => {
      if (failure) throw Object.assign(new Error(failure.message), { errcode: failure.errcode });
      isReported = false;
      const { log, checkpointed } = state.get() as unknown as State;
      if (log >= LONG && checkpointed < log) move.get();
    });
  }

  return {
    look() {
      if (isUnderWay || later) return;
      attempt(() => {
        const { log, checkpointed } = state.get() as unknown as State;
        if (log - checkpointed < DUE) return;
        clearTimeout(pause);
        if (log - checkpointed >= OVERDUE) start();
        else pause = setTimeout(start, QUIET).unref();
      });
    },
    async close() {
      clearTimeout(pause);
      clearTimeout(later);
      const worker = thread;
      if (!worker) return;
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      worker.ref();
      worker.postMessage('close');
      await gone;
    },
  };
}

/** Runs in the thread. It is passed as text, so it must name nothing outside of itself. */
function checkpointer(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(workerData as string);
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -64;');
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const writers = parentPort as MessagePort;
  writers.on('message', (message: 'checkpoint' | 'close') => {
    if (message === 'checkpoint') {
      let failure: Done['failure'];
      try {
        move.get();
      } catch (error) {
        const { message, errcode } = error as Error & { errcode?: unknown };
        failure = { message, errcode };
      }
      writers.postMessage({ failure } satisfies Done);
    } else {
      database.close();
      writers.close();
    }
  });
}
