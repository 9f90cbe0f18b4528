/**
 * The only SQLite connection for requests. Reads are synchronous. Writes go through `write`, which combines the writes
 * in one turn of the event loop into one transaction (group commit) and resolves only after the commit is on disk.
 */
import { chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openCheckpoints } from './checkpoint.ts';
import { checkInBackground, damageIn, damageSentence, guardAgainstDamage, isDamage, shortfallOf } from './damage.ts';
import { groupCommit } from './group-commit.ts';
import { isCopy, migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { countOpening, setOldLogAside } from './old-log.ts';
import { isForWantOfRoom, openReserve, type Reserve } from './reserve.ts';
import { isDiskFull, StoreError } from './store-error.ts';
import { wholeFrames } from './whole-frames.ts';

const syncData = promisify(fdatasync);

export interface Store {
  readonly database: DatabaseSync;
  prepare(sql: string): StatementSync;
  /**
   * Runs the synchronous `work` inside a transaction and resolves with its result after the commit. If `work` throws,
   * its changes are undone and the promise rejects with that error; other writes in the batch are unaffected. On a full
   * disk, rejects with an error that `isDiskFull` recognises.
   */
  write<T>(work: () => T): Promise<T>;
  /** Like `write`, but may use the reserve (`reserve.ts`) on a full disk. `work` may run several times. */
  writeThoughFull<T>(work: () => T): Promise<T>;
  /** False while the disk is full. Writes that can wait should then be postponed, to save the remaining space. */
  readonly hasRoom: boolean;
  /** Message about the damage and what to do; `undefined` while no damage is known. Damage stops all writes. */
  readonly damage: string | undefined;
  noteError(error: unknown): void;
  /** Resolves once the background check of an existing database's structure has ended. */
  readonly checked: Promise<void>;
  /** Commits pending writes, closes the database and refuses further writes. */
  close(): Promise<void>;
}

export const DATABASE_FILE = 'backend.sqlite';

/** Maximum cached statements. List queries build their SQL, so the number of different statements is unlimited. */
const STATEMENTS_KEPT = 512;
/** Maximum length in characters of a cached statement's SQL: a statement takes many times the memory of its SQL. */
const LONGEST_KEPT = 8192;

/**
 * NORMAL: SQLite syncs only to keep the file consistent. Group commit syncs the WAL before a write is confirmed, so
 * that confirmed writes survive a power cut (docs/decisions/005-durability.md). `checkpoint.ts` runs the checkpoints.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA journal_size_limit = 33554432;
`;

function statementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement) return statement;
    statement = database.prepare(sql);
    if (sql.length > LONGEST_KEPT) return statement;
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value as string);
    statements.set(sql, statement);
    return statement;
  };
}

export interface StoreOptions {
  readonly log?: ((level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void) | undefined;
  /** Syncs the WAL to disk. Tests replace it; default: `fdatasync`. */
  readonly sync?: (descriptor: number) => Promise<void>;
}

/** Lets only the owner read the folder and its database copies: they contain password hashes and session digests. */
function closeToOthers(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory)) if (isCopy(name)) chmodSync(join(directory, name), 0o600);
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    database.exec(PRAGMAS);
    // Reads once, because SQLite creates the WAL and its index on the first read.
    database.prepare('PRAGMA user_version').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openDespiteFull(file: string, directory: string, reserve: Reserve): DatabaseSync {
  for (;;) {
    try {
      return openDatabase(file);
    } catch (error) {
      if (!isForWantOfRoom(error, directory)) throw error;
      if (reserve.give()) continue;
      throw new StoreError(
        `The disk is full: the data in ${directory} cannot be opened. Free some space, then start again.`,
        { cause: error },
      );
    }
  }
}

function countUnlessFull(database: DatabaseSync, directory: string): void {
  try {
    countOpening(database);
  } catch (error) {
    if (!isForWantOfRoom(error, directory)) throw error;
  }
}

const isEmpty = (database: DatabaseSync): boolean =>
  database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0;

/** SQLITE_BUSY, SQLITE_READONLY and SQLITE_CANTOPEN. */
const CLOSED_TO_US: Readonly<Record<number, string>> = {
  5: 'Another program has locked it. Stop that program.',
  8: 'Make it writable for this user.',
  14: 'It must be a file that this user may read and write.',
};

function openingFault(error: unknown, file: string): unknown {
  if (isDamage(error)) return new StoreError(damageSentence(file, damageIn(error)), { cause: error });
  const { errcode, message } = error as Error & { errcode?: number };
  const advice = CLOSED_TO_US[(errcode ?? 0) & 0xff];
  if (!advice) return error;
  return new StoreError(`The database ${file} cannot be opened (${message}). ${advice}`, { cause: error });
}

/** SQLITE_IOERR_FSYNC. */
const SYNC_FAILED = 1034;

/**
 * Recovers from a failed sync on a full disk by checkpointing the entire WAL: SQLite syncs the database file before it
 * empties the WAL. First reads the WAL back, because the system may have dropped pages for which there was no space.
 * @throws StoreError `ENOSPC` if the caller should try again later; any other error if commits were lost
 */
function rescueLog(database: DatabaseSync, log: string): void {
  const { log: frames } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number };
  if (wholeFrames(log) < frames) throw new Error('Part of the log is lost.');
  const move = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let moved: Record<string, unknown> | undefined;
  try {
    moved = move.get();
  } catch (error) {
    // SQLite's own descriptor reports the earlier failed sync once more, so this retries once.
    if ((error as { errcode?: unknown }).errcode !== SYNC_FAILED) throw error;
    moved = move.get();
  }
  if (moved?.busy !== 0) throw new StoreError('The log is in use.', { code: 'ENOSPC' });
}

/**
 * Opens or creates the database in `directory` and migrates it to the newest version, keeping a copy of the old file.
 * @throws StoreError when the file is damaged, cannot be opened or was written by a newer release, and when the disk is
 * too full to open it
 */
export function openStore(
  directory: string,
  migrations: readonly Migration[],
  { log = () => {}, sync: syncFile = syncData }: StoreOptions = {},
): Store {
  closeToOthers(directory);
  const reserve = openReserve(directory, log);
  const file = join(directory, DATABASE_FILE);
  let isNew: boolean;
  let database: DatabaseSync;
  try {
    const shortfall = existsSync(file) && shortfallOf(file);
    if (shortfall) throw new StoreError(damageSentence(file, shortfall));
    const aside = setOldLogAside(file);
    if (aside)
      log('warn', `The log beside ${file} was older than the database, so it was not used but renamed to ${aside}.`);
    database = openDespiteFull(file, directory, reserve);
    isNew = isEmpty(database);
  } catch (error) {
    reserve.close();
    throw openingFault(error, file);
  }
  try {
    migrate(database, migrations, directory);
    countUnlessFull(database, directory);
  } catch (error) {
    reserve.close();
    database.close();
    throw openingFault(error, file);
  }
  // The first read has created the WAL, which remains the same file until the database is closed.
  const logFile = openSync(`${file}-wal`, 'r+');
  const checkpoints = openCheckpoints(database, file, {
    report: (error) =>
      log('warn', 'The log could not be moved into the database; the server will try again later.', error),
    makeRoom: reserve.give,
  });
  const guard = guardAgainstDamage(database, file, (sentence) => log('error', sentence));
  const check = isNew ? undefined : checkInBackground(file);
  const checked = Promise.resolve(check?.found).then((found) => {
    if (found) guard.report(found);
  });
  /** True after a failed sync on a full disk: the WAL may be incomplete on disk. */
  let isDoubtful = false;
  const { write, flush } = groupCommit(database, async () => {
    try {
      if (!isDoubtful) await syncFile(logFile);
    } catch (error) {
      if (!isDiskFull(error)) {
        guard.report(`writes could not be synced to disk (${(error as Error).message})`);
        throw error;
      }
      isDoubtful = true;
      reserve.noteFull();
    }
    while (isDoubtful) {
      try {
        rescueLog(database, `${file}-wal`);
        isDoubtful = false;
      } catch (error) {
        if (error instanceof StoreError || !isDiskFull(error) || !reserve.give()) throw error;
      }
    }
    checkpoints.look();
  });
  let closed = false;

  async function writeWithin<T>(work: () => T, mayUseReserve: boolean): Promise<T> {
    if (closed) throw new Error('The database is closed.');
    const damage = guard.look();
    if (damage) throw new StoreError(damage, { code: 'damaged' });
    if (!mayUseReserve && !reserve.isHeld) throw new StoreError('The disk is full.', { code: 'ENOSPC' });
    for (;;) {
      try {
        return await write(work);
      } catch (error) {
        guard.note(error);
        if (guard.damage) throw new StoreError(guard.damage, { code: 'damaged', cause: error });
        if (!isForWantOfRoom(error, directory)) throw error;
        reserve.noteFull();
        // A failed sync leaves the write committed. Only a write that was rolled back may run again.
        const isUndone = !(error instanceof StoreError);
        if (!mayUseReserve || !isUndone || closed || !reserve.give()) {
          throw new StoreError('The disk is full.', { code: 'ENOSPC', cause: error });
        }
      }
    }
  }

  return {
    database,
    prepare: statementCache(database),
    write: (work) => writeWithin(work, false),
    writeThoughFull: (work) => writeWithin(work, true),
    get hasRoom() {
      return reserve.isHeld;
    },
    get damage() {
      return guard.look();
    },
    noteError: guard.note,
    checked,
    async close() {
      if (closed) return;
      closed = true;
      await flush();
      await Promise.all([checkpoints.close(), check?.stop()]);
      reserve.close();
      closeSync(logFile);
      // Leaves a damaged database open: closing would checkpoint the WAL, and the file must stay unchanged.
      if (guard.look()) return;
      database.close();
      guard.close();
    },
  };
}
