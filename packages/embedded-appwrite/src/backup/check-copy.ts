import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { isBlobName } from '../storage/blobs.ts';

export interface DataCounts {
  /** `PRAGMA user_version`: the schema version. */
  readonly version: number;
  readonly users: number;
  readonly files: number;
  readonly documents: number;
}

export interface DataReport extends DataCounts {
  readonly faults: readonly string[];
}

/** Checks a copy's database (`integrity_check` and foreign keys) and the length and MD5 of every stored file. */
export async function checkCopy(directory: string): Promise<DataReport> {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  try {
    const faults = [...integrityFaults(database)];
    for (const file of filesOf(database)) {
      const fault = isBlobName(file.blob)
        ? await faultOf(file, directory, `storage/files/${file.blob.slice(0, 2)}/${file.blob}`)
        : `The database is damaged: file ${file.id} is stored under ${JSON.stringify(file.blob)}, which is not a valid name.`;
      if (fault) faults.push(fault);
    }
    return { ...countIn(database), faults };
  } finally {
    database.close();
  }
}

interface StoredFile {
  readonly id: string;
  readonly blob: string;
  readonly signature: string;
  readonly size: number;
}

function* integrityFaults(database: DatabaseSync): Generator<string> {
  for (const { integrity_check: said } of database.prepare('PRAGMA integrity_check(10)').all()) {
    if (said !== 'ok') yield `The database is damaged: ${said}`;
  }
  for (const { table, rowid } of database.prepare('PRAGMA foreign_key_check').all()) {
    yield `The database is damaged: row ${rowid} of ${table} refers to a row that does not exist.`;
  }
}

const COMPLETE = 'FROM files WHERE chunks_uploaded >= chunks_total';

function filesOf(database: DatabaseSync): StoredFile[] {
  const rows = database.prepare(`SELECT id, blob, signature, size_actual AS size ${COMPLETE}`).all();
  return rows as unknown as StoredFile[];
}

async function faultOf(
  { id, signature, size }: StoredFile,
  directory: string,
  name: string,
): Promise<string | undefined> {
  const path = join(directory, name);
  try {
    if (statSync(path).size !== size)
      return `File ${id} (${name}) has ${statSync(path).size} bytes instead of ${size}.`;
    const md5 = createHash('md5');
    for await (const chunk of createReadStream(path)) md5.update(chunk);
    return md5.digest('hex') === signature
      ? undefined
      : `File ${id} (${name}) has different contents from what was stored.`;
  } catch (error) {
    return `File ${id} (${name}) cannot be read: ${(error as Error).message}`;
  }
}

export function countsOf(directory: string): DataCounts {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  try {
    return countIn(database);
  } finally {
    database.close();
  }
}

function countIn(database: DatabaseSync): DataCounts {
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n);
  const documents = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'")
    .all()
    .map(({ name }) => count(`${name}`));
  return {
    version: Number(database.prepare('PRAGMA user_version').get()?.user_version),
    users: count('users'),
    files: Number(database.prepare(`SELECT count(*) AS n ${COMPLETE}`).get()?.n),
    documents: documents.reduce((sum, n) => sum + n, 0),
  };
}

/** Removes the webhooks from a copy, so that a server started on the copy as a trial does not call them. */
export function silenceCopy(directory: string): void {
  const database = new DatabaseSync(join(directory, DATABASE_FILE));
  try {
    database.exec('DELETE FROM webhooks');
  } finally {
    database.close();
  }
}
