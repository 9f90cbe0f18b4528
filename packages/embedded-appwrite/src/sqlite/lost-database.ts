import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from './store.ts';
import { StoreError } from './store-error.ts';

/** SQLite's smallest page size, in bytes. SQLite treats a shorter file as a new database. */
const SMALLEST = 512;

/**
 * Returns a message for the operator if the database is missing or empty although one of `traces` has content.
 * @param traces files and folders that have content once a site is in use
 */
export function lossOf(directory: string, traces: readonly string[]): string | undefined {
  const file = join(directory, DATABASE_FILE);
  const size = sizeOf(file);
  if (size !== undefined && size >= SMALLEST) return undefined;
  const left = traces.filter(holdsSomething);
  if (left.length === 0) return undefined;
  return `The database ${file} ${size === undefined ? 'is missing' : 'is empty'}, but the site’s other data still exists: ${left.join(', ')}. Restore the last backup: npm run restore -- FILE --force. Or, to begin with an empty site, move this data away first.`;
}

/** Creates the database if it is missing. Throws StoreError if an existing site has lost its database. */
export function requireDatabase(directory: string, traces: readonly string[]): void {
  const loss = lossOf(directory, traces);
  if (loss) throw new StoreError(loss);
  const file = join(directory, DATABASE_FILE);
  if (sizeOf(file) !== undefined) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

/** Returns the size in bytes; undefined if nothing exists at the path. A circular link counts as existing. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns true for a non-empty file, and for a folder that contains one at any depth. */
function holdsSomething(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found !== undefined && found.size > 0;
  return readdirSync(path).some((name) => holdsSomething(join(path, name)));
}
