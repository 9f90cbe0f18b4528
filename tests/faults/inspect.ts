import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const files = (directory: string) => join(directory, 'storage', 'files');

function blobsOnDisk(directory: string): string[] {
  return readdirSync(files(directory)).flatMap((folder) => readdirSync(join(files(directory), folder)));
}

interface FileRow {
  readonly id: string;
  readonly blob: string;
  readonly size_actual: number;
  readonly complete: number;
}

function rows(database: DatabaseSync): FileRow[] {
  const sql = 'SELECT id, blob, size_actual, chunks_uploaded = chunks_total AS complete FROM files';
  return database.prepare(sql).all() as unknown as FileRow[];
}

function read<T>(directory: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(directory, 'backend.sqlite'), { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Returns the faults: the database's own check, and records whose bytes are missing or incomplete. */
export function inspect(directory: string): string[] {
  return read(directory, (database) => {
    const verdict = String(database.prepare('PRAGMA integrity_check').get()?.integrity_check);
    const damaged = rows(database).filter(({ blob, size_actual, complete }) => {
      const path = join(files(directory), blob.slice(0, 2), blob);
      return !existsSync(path) || (complete === 1 && statSync(path).size !== size_actual);
    });
    return [
      ...(verdict === 'ok' ? [] : [`integrity_check: ${verdict}`]),
      ...damaged.map(({ id }) => `The record of file ${id} has no whole bytes.`),
    ];
  });
}

/** Lists files without a record, those of uploads under way included. */
export function orphans(directory: string): string[] {
  const known = read(directory, (database) => new Set(rows(database).map(({ blob }) => blob)));
  return [
    ...blobsOnDisk(directory).filter((blob) => !known.has(blob)),
    ...readdirSync(join(directory, 'storage', 'incoming')),
  ];
}

/** Dates all files back by `hours`, past the age at which orphans are swept. */
export function age(directory: string, hours: number): void {
  const then = new Date(Date.now() - hours * 3_600_000);
  for (const blob of blobsOnDisk(directory)) utimesSync(join(files(directory), blob.slice(0, 2), blob), then, then);
}
