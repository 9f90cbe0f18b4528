import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from 'embedded-appwrite';
import { requireOwnDatabase } from './own-database.ts';

/**
 * Returns the embedded backend's key; creates the folder and the key if they are missing. Two processes that start at
 * the same time get the same key, because only the first can link its key into place.
 * @throws NodeJS.ErrnoException if the folder is not writable, StoreError for a damaged key or a lost database
 */
export function serverKey(dataDirectory: string): string {
  const path = join(dataDirectory, 'server-key');
  const existing = read(path);
  if (existing) return existing;
  // Creates the database first, because a key without a database counts as a lost database.
  requireOwnDatabase(dataDirectory);
  mkdirSync(dataDirectory, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const key = `standard_${randomBytes(32).toString('hex')}\n`;
  writeFileSync(draft, key, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

/** The key is sent as a header, so it is printable ASCII. */
const KEY = /^[\x21-\x7e]{16,}$/;

function read(path: string): string {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new StoreError(`The server key ${path} cannot be read (${code}). ${WAYS_ON}`, { cause: error });
  }
  if (KEY.test(key)) return key;
  throw new StoreError(`The server key ${path} is damaged. ${WAYS_ON}`);
}

const WAYS_ON =
  'Restore it from the last backup (npm run doctor gives the command). Or delete it: the server then creates a new one, and second factors and waiting mails are lost.';
