/**
 * Moves the WAL into the database file (a checkpoint) in a separate thread. SQLite itself would do so as part of a
 * commit, where syncing the file delays every request by 30 to 80 ms. Waits for a pause between writes, because a disk
 * runs one sync at a time, so even a checkpoint in another thread delays a concurrent commit.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, Worker } from 'node:worker_threads';
import { freeBytes } from './reserve.ts';
import { isDiskFull, StoreError } from './store-error.ts';

/** WAL pages (4 KiB each) at which a checkpoint is due, as in SQLite by default. */
const DUE = 1000;
/** WAL pages (32 MiB) at which a checkpoint runs even without a pause between writes. */
const OVERDUE = 8 * DUE;
/** WAL pages at which the main thread runs the checkpoint, because constant writes outpace the checkpoint thread. */
const LONG = 16 * DUE;
/** Milliseconds without a commit after which a due checkpoint runs. */
const QUIET = 250;
/** Milliseconds until a failed checkpoint is retried. */
const LATER = 2000;
/** Disk bytes that a checkpoint leaves free for the WAL. Without them, not even deletions could be written. */
const LEFT_TO_LOG = 1024 * 1024;

/** Heap limits of the thread, in MiB. SQLite's own memory is not included. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface Checkpoints {
  look(): void;
  close(): Promise<void>;
}

interface State {
  /** Pages in the WAL, and how many of them are already in the database file. */
  readonly log: number;
  readonly checkpointed: number;
}

export interface CheckpointOptions {
  /** Called only for the first of consecutive failures. */
  readonly report: (error: unknown) => void;
  /** Frees reserved disk space on a full disk. Returns false if too little is left. */
  readonly makeRoom: (bytes?: number) => boolean;
}

/** The thread's message. A plain object, because an `Error` would lose its `errcode` when posted. */
interface Done {
  readonly failure: { readonly message: string; readonly errcode: unknown } | undefined;
}

/** Reports failures instead of throwing: pages stay safe in the WAL. `database` must have `wal_autocheckpoint = 0`. */
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
        // The thread could not be started, so the checkpoint runs on the main thread.
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
    if (isDiskFull(error) && !(error instanceof StoreError)) makeRoom();
    clearTimeout(pause);
    later ??= setTimeout(start, LATER).unref();
  }

  /** Throws StoreError if the disk is too full: a checkpoint that fails halfway would use up the remaining space. */
  function requireRoom(): void {
    const growth = Number(pages.get()?.bytes) - statSync(file).size;
    const missing = growth + LEFT_TO_LOG - freeBytes(dirname(file));
    if (growth > 0 && missing > 0 && !makeRoom(missing)) {
      throw new StoreError('There is not enough disk space to move the log into the database.', { code: 'ENOSPC' });
    }
  }

  function running(): Worker {
    if (thread) return thread;
    const worker = new Worker(`(${checkpointer})()`, { eval: true, workerData: file, resourceLimits: LIMITS });
    worker.unref();
    worker.on('message', done);
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

/** Runs in the worker thread. The function is passed as source code, so it must use nothing declared outside it. */
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
