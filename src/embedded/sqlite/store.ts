/**
 * The one SQLite connection. Reads run at once; writes go through `write`, which gathers the writes of one turn of the
 * event loop into one transaction (group commit) and answers only after the commit is on disk.
 */
import { chmodSync, closeSync, fdatasync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openCheckpoints } from './checkpoint.ts';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';

const syncData = promisify(fdatasync);

export interface Store {
  readonly database: DatabaseSync;
  /** A prepared statement, made once per SQL text. */
  prepare(sql: string): StatementSync;
  /**
   * Runs `work` (synchronous) inside a transaction and resolves with its result once committed. When `work` throws, what
   * it did is undone and the promise rejects with that error; other writes of the same batch are not touched.
   */
  write<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, then closes. Later writes are refused. */
  close(): Promise<void>;
}

export const DATABASE_FILE = 'backend.sqlite';

/** Statements kept prepared; list queries compose theirs, so that the number of texts has no natural bound. */
const STATEMENTS_KEPT = 512;

/**
 * NORMAL: SQLite itself syncs only what keeps the file whole. That an answered write survives a power cut is the group
 * commit's part, which syncs the log before it answers (docs/decisions/005-durability.md). Checkpoints are
 * `checkpoint.ts`'s.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -8000;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA journal_size_limit = 33554432;
`;

function statementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement) return statement;
    statement = database.prepare(sql);
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value as string);
    statements.set(sql, statement);
    return statement;
  };
}

/**
 * Opens (or makes) the database in `directory` and brings it to the newest version, keeping a copy of the old one.
 * Throws `StoreError` when the file belongs to a newer release.
 */
export function openStore(directory: string, migrations: readonly Migration[]): Store {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, DATABASE_FILE);
  const database = new DatabaseSync(file);
  try {
    // Password hashes and session digests: nobody but the owner reads them.
    chmodSync(file, 0o600);
    database.exec(PRAGMAS);
    migrate(database, migrations, directory);
  } catch (error) {
    database.close();
    throw error;
  }
  // The log is there since the version was read, and stays the same file until the database is closed.
  const log = openSync(`${file}-wal`, 'r+');
  const checkpoints = openCheckpoints(database, file);
  const { write, flush } = groupCommit(database, async () => {
    await syncData(log);
    checkpoints.look();
  });
  let closed = false;
  return {
    database,
    prepare: statementCache(database),
    write: (work) => (closed ? Promise.reject(new Error('The database is closed.')) : write(work)),
    async close() {
      if (closed) return;
      closed = true;
      await flush();
      await checkpoints.close();
      closeSync(log);
      database.close();
    },
  };
}
