/**
 * The one SQLite connection. Reads run at once; writes go through `write`, which may gather concurrent writes into one
 * transaction (group commit) and answers only after the commit is on disk.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface Store {
  readonly database: DatabaseSync;
  /** A prepared statement, made once per SQL text. */
  prepare(sql: string): StatementSync;
  /**
   * Runs `work` (synchronous) inside a transaction and resolves with its result once committed. When `work` throws, what
   * it did is undone and the promise rejects with that error; other writes of the same batch are not touched.
   */
  write<T>(work: () => T): Promise<T>;
  close(): Promise<void>;
}
