/**
 * Group commit: all writes in one turn of the event loop form one transaction. If there are several, each has its own
 * savepoint, so only a failing write is undone. The response to a write is sent once its part of the WAL is synced
 * to disk. While a sync runs, more transactions are committed; the next sync covers all of them.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDiskFull, StoreError } from './store-error.ts';

interface Waiting {
  run(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Committed extends Waiting {
  readonly result: unknown;
}

export interface GroupCommit {
  write<T>(work: () => T): Promise<T>;
  flush(): Promise<void>;
}

/**
 * @param sync writes all commits to disk, including any that an earlier sync failed to write. If the disk is full, the
 * waiting writes fail and the next sync tries again. Any other failure leaves the state on disk unknown, so all later
 * writes are refused.
 */
export function groupCommit(database: DatabaseSync, sync: () => Promise<void>): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const savepoint = database.prepare('SAVEPOINT work');
  const release = database.prepare('RELEASE work');
  const undo = database.prepare('ROLLBACK TO work');
  let queue: Waiting[] = [];
  let committed: Committed[] = [];
  let syncing: Promise<void> | undefined;
  let broken: Error | undefined;

  async function syncAll(): Promise<void> {
    while (committed.length > 0) {
      const served = committed;
      committed = [];
      try {
        if (broken) throw broken;
        await sync();
        for (const { resolve, result } of served) resolve(result);
      } catch (error) {
        let fault: Error;
        if (isDiskFull(error)) {
          fault = new StoreError('There was not enough disk space to sync the database.', {
            code: 'ENOSPC',
            cause: error,
          });
        } else {
          broken ??= new Error('The database could not be synced to disk. Check the disk, then restart.', {
            cause: error,
          });
          fault = broken;
        }
        for (const { reject } of served) reject(fault);
      }
    }
  }

  function settle(): Promise<void> {
    if (!syncing && committed.length > 0) {
      syncing = syncAll().finally(() => {
        syncing = undefined;
        return settle();
      });
    }
    return syncing ?? Promise.resolve();
  }

  function commitOne(only: Waiting): void {
    try {
      begin.run();
      const result = only.run();
      commit.run();
      committed.push({ ...only, result });
    } catch (error) {
      if (database.isTransaction) rollback.run();
      only.reject(error);
    }
  }

  function commitAll(batch: readonly Waiting[]): void {
    const done: Committed[] = [];
    const settled = new Set<Waiting>();
    try {
      begin.run();
      for (const waiting of batch) {
        savepoint.run();
        try {
          done.push({ ...waiting, result: waiting.run() });
          release.run();
        } catch (error) {
          // A full disk or an I/O error ends the transaction and with it all savepoints.
          if (!database.isTransaction) throw error;
          undo.run();
          release.run();
          waiting.reject(error);
          settled.add(waiting);
        }
      }
      commit.run();
    } catch (error) {
      if (database.isTransaction) rollback.run();
      for (const waiting of batch) if (!settled.has(waiting)) waiting.reject(error);
      return;
    }
    committed.push(...done);
  }

  function flush(): Promise<void> {
    const batch = queue;
    queue = [];
    if (broken) for (const { reject } of batch) reject(broken);
    else if (batch.length === 1) commitOne(batch[0] as Waiting);
    else if (batch.length > 1) commitAll(batch);
    return settle();
  }

  return {
    flush,
    write<T>(work: () => T) {
      return new Promise<T>((resolve, reject) => {
        if (queue.length === 0) setImmediate(flush);
        queue.push({ run: work, resolve: resolve as Waiting['resolve'], reject });
      });
    },
  };
}
