import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const MALFORMED = new Set([11, 26]);
/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ and SQLITE_IOERR_CORRUPTFS. */
const UNREADABLE = new Set([266, 522, 8458]);

/** Returns true if SQLite reported corrupt or unreadable data, either in `error` or in its cause. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode === 'number' && (MALFORMED.has(errcode & 0xff) || UNREADABLE.has(errcode))) return true;
  return isDamage(error.cause);
}

export const damageIn = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? damageIn(cause) : message;
};

export const damageSentence = (file: string, damage: string): string =>
  `The database ${file} is damaged: ${damage}. Stop the server and restore the last good backup: npm run restore -- FILE --force (npm run doctor names FILE).`;

const HEADER = 100;
const MAGIC = Buffer.from('SQLite format 3\0');

/** Returns a message about truncation, which SQLite does not notice. Skips a file whose WAL may contain the rest. */
export function shortfallOf(file: string): string | undefined {
  const found = statSync(file);
  const { size } = found;
  if (!found.isFile() || size < HEADER || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return undefined;
  const head = Buffer.alloc(HEADER);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, HEADER, 0);
  } finally {
    closeSync(descriptor);
  }
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  // SQLite file format, 1.3: page size (1 means 65,536) and number of pages.
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const bytes = pageSize * head.readUInt32BE(28);
  return size < bytes ? `it has only ${size} of ${bytes} bytes` : undefined;
}

export interface DamageGuard {
  /** Message for the operator; `undefined` while no damage is known. Never reset. */
  readonly damage: string | undefined;
  note(error: unknown): void;
  report(damage: string): void;
  /** Returns known damage, or damage found by comparing the file with its last known state (takes microseconds). */
  look(): string | undefined;
  /** Call after closing the database: closing a descriptor of its file earlier would release SQLite's locks. */
  close(): void;
}

export function guardAgainstDamage(
  database: DatabaseSync,
  file: string,
  tell: (sentence: string) => void,
): DamageGuard {
  const descriptor = openSync(file, 'r');
  const head = Buffer.alloc(MAGIC.length);
  const inodeOf = (path: string) => {
    try {
      return statSync(path, { bigint: true }).ino;
    } catch {
      return undefined;
    }
  };
  const inodes = [file, `${file}-wal`].map((path) => ({ path, inode: inodeOf(path) }));
  const pages = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()');
  let largest = 0;
  let damage: string | undefined;
  let replaced: string | undefined;

  function report(found: string): void {
    if (damage) return;
    damage = damageSentence(file, found);
    tell(damage);
  }

  /** Returns a message if the files were moved, replaced or unmounted. Writes resume if the same files come back. */
  function replacementFound(): string | undefined {
    const found = inodes.find(({ path, inode }) => inodeOf(path) !== inode);
    const sentence =
      found && damageSentence(file, `${found.path} was deleted or replaced while the server was running`);
    if (sentence && sentence !== replaced) tell(sentence);
    replaced = sentence;
    return sentence;
  }

  function changeFound(): string | undefined {
    const size = statSync(file).size;
    // A smaller file is intact if SQLite's page count has shrunk too, as after VACUUM.
    if (size < largest && size < Number(pages.get()?.bytes)) return `it was cut from ${largest} to ${size} bytes`;
    largest = size;
    readSync(descriptor, head, 0, head.length, 0);
    return head.equals(MAGIC) ? undefined : 'its beginning was overwritten';
  }

  return {
    get damage() {
      return damage;
    },
    report,
    note(error) {
      if (isDamage(error)) report(damageIn(error));
    },
    look() {
      const sentence = damage ?? replacementFound();
      if (sentence) return sentence;
      const found = changeFound();
      if (found) report(found);
      return damage;
    },
    close: () => closeSync(descriptor),
  };
}

export interface BackgroundCheck {
  /** Resolves with the damage that SQLite's check found, or undefined. */
  readonly found: Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Heap limits of the thread, in MiB. SQLite's own memory is not included. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** Checks a database's structure in a separate thread, because checking a large one takes seconds. */
export function checkInBackground(file: string): BackgroundCheck {
  const worker = new Worker(`(${checker})()`, { eval: true, workerData: file, resourceLimits: LIMITS });
  worker.unref();
  const { promise: found, resolve } = Promise.withResolvers<string | undefined>();
  worker.once('message', resolve);
  // Reports nothing if the check cannot run, because the database may be intact.
  worker.on('error', () => resolve(undefined));
  worker.once('exit', () => resolve(undefined));
  return {
    found,
    async stop() {
      await worker.terminate();
    },
  };
}

/** Runs in the thread. The function is passed as source code, so it must not use anything declared outside it. */
function checker(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  let found: string | undefined;
  const database = new DatabaseSync(workerData as string);
  try {
    database.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -1024;');
    const said = `${database.prepare('PRAGMA quick_check(1)').get()?.quick_check}`;
    if (said !== 'ok') found = said.replace(/^\*\*\* .+? \*\*\*\n/, '');
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    if (errcode !== undefined && [11, 26].includes(errcode & 0xff)) found = message;
  } finally {
    database.close();
  }
  parentPort?.postMessage(found);
}
