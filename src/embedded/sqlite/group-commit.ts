/**
 * Group commit: one disk flush for all writes of a turn of the event loop. Each write has a savepoint of its own, so that
 * a failing one is undone alone; a batch of one needs none.
 */
import type { DatabaseSync } from 'node:sqlite';

interface Waiting {
  run(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface GroupCommit {
  write<T>(work: () => T): Promise<T>;
  /** Commits what is waiting now. */
  flush(): void;
}

export function groupCommit(database: DatabaseSync): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const savepoint = database.prepare('SAVEPOINT work');
  const release = database.prepare('RELEASE work');
  const undo = database.prepare('ROLLBACK TO work');
  let queue: Waiting[] = [];

  function commitOne(only: Waiting): void {
    let result: unknown;
    try {
      begin.run();
      result = only.run();
      commit.run();
    } catch (error) {
      if (database.isTransaction) rollback.run();
      only.reject(error);
      return;
    }
    only.resolve(result);
  }

  function commitAll(batch: readonly Waiting[]): void {
    const done: { waiting: Waiting; result: unknown }[] = [];
    const settled = new Set<Waiting>();
    try {
      begin.run();
      for (const waiting of batch) {
        savepoint.run();
        try {
          done.push({ waiting, result: waiting.run() });
          release.run();
        } catch (error) {
          // A full disk or an I/O error ends the whole transaction, then there is no savepoint to go back to.
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
    for (const { waiting, result } of done) waiting.resolve(result);
  }

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 1) commitOne(batch[0] as Waiting);
    else if (batch.length > 1) commitAll(batch);
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
