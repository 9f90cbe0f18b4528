/**
 * Moves what is in the log (WAL) into the database file, in a thread of its own and when nobody writes. SQLite would do
 * it within a commit, where syncing the file makes everybody wait for 30 to 80 ms; beside a commit it makes the writer
 * wait, as a disk does one sync at a time.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, Worker } from 'node:worker_threads';

/** Pages of the log (4 KiB each) after which it is time; SQLite's own measure. */
const DUE = 1000;
/** Pages from which on it does not wait any longer (32 MiB). */
const OVERDUE = 8 * DUE;
/** Pages of the log from which on it is brought to its end within a commit: a thread beside busy writers never meets it. */
const LONG = 16 * DUE;
/** Milliseconds without a commit. */
const QUIET = 250;

/** Mebibytes: SQLite has its own, outside of these. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface Checkpoints {
  /** To be called after commits. */
  look(): void;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

interface State {
  /** Pages that the log holds, and how many of them are in the database file as well. */
  readonly log: number;
  readonly checkpointed: number;
}

/** @param file the database of `database`, which must not checkpoint by itself (`wal_autocheckpoint = 0`). */
export function openCheckpoints(database: DatabaseSync, file: string): Checkpoints {
  const state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let thread: Worker | undefined;
  let isUnderWay = false;
  let pause: NodeJS.Timeout | undefined;

  function start(): void {
    pause = undefined;
    try {
      running().postMessage('checkpoint');
      isUnderWay = true;
    } catch {
      // No thread can be had; writers must not pay for that with their writes.
      move.get();
    }
  }

  function running(): Worker {
    if (thread) return thread;
    const worker = new Worker(`(${checkpointer})()`, { eval: true, workerData: file, resourceLimits: LIMITS });
    worker.unref();
    worker.on('message', done);
    // Without its thread the log is moved all the same, within a commit.
    worker.on('error', () => move.get());
    worker.on('exit', () => {
      if (thread === worker) thread = undefined;
      isUnderWay = false;
    });
    thread = worker;
    return worker;
  }

  function done(): void {
    isUnderWay = false;
    const { log, checkpointed } = state.get() as unknown as State;
    if (log >= LONG && checkpointed < log) move.get();
  }

  return {
    look() {
      if (isUnderWay) return;
      const { log, checkpointed } = state.get() as unknown as State;
      if (log - checkpointed < DUE) return;
      clearTimeout(pause);
      if (log - checkpointed >= OVERDUE) start();
      else pause = setTimeout(start, QUIET).unref();
    },
    async close() {
      clearTimeout(pause);
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

/** What the thread runs. It is handed over as text, so that it needs no file of its own beside a bundle: it must name nothing outside. */
function checkpointer(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(workerData as string);
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -64;');
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const writers = parentPort as MessagePort;
  writers.on('message', (message: 'checkpoint' | 'close') => {
    if (message === 'checkpoint') {
      move.get();
      writers.postMessage('done');
    } else {
      database.close();
      writers.close();
    }
  });
}
