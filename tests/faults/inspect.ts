import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const files = (directory: string) => join(directory, 'storage', 'files');

export const blobsOnDisk = (directory: string): string[] =>
  readdirSync(files(directory)).flatMap((folder) => readdirSync(join(files(directory), folder)));

type FileRow = Record<'id' | 'blob', string> & Record<'size_actual' | 'complete', number>;

/** Returns the result of SQLite's integrity check, and the rows of the `files` table. */
function read(directory: string): { verdict: string; rows: FileRow[] } {
  using database = new DatabaseSync(join(directory, 'backend.sqlite'), { readOnly: true });
  const sql = 'SELECT id, blob, size_actual, chunks_uploaded = chunks_total AS complete FROM files';
  const rows = database.prepare(sql).all() as unknown as FileRow[];
  return { rows, verdict: String(database.prepare('PRAGMA integrity_check').get()?.integrity_check) };
}

/** Returns the problems found: a failed integrity check, and file records whose bytes are missing or incomplete. */
export function inspect(directory: string): string[] {
  const { verdict, rows } = read(directory);
  const damaged = rows.filter(({ blob, size_actual, complete }) => {
    const path = join(files(directory), blob.slice(0, 2), blob);
    return !existsSync(path) || (complete === 1 && statSync(path).size !== size_actual);
  });
  return [
    ...(verdict === 'ok' ? [] : [`integrity_check: ${verdict}`]),
    ...damaged.map(({ id }) => `The record of file ${id} has no whole bytes.`),
  ];
}

/** Returns the names of stored files without a row in the database, and of files in the folder for incoming uploads. */
export function orphans(directory: string): string[] {
  const known = new Set(read(directory).rows.map(({ blob }) => blob));
  const unknown = blobsOnDisk(directory).filter((blob) => !known.has(blob));
  return [...unknown, ...readdirSync(join(directory, 'storage', 'incoming'))];
}

/** Backdates all stored files by `hours`, so that orphans among them are old enough for the server to delete. */
export function age(directory: string, hours: number): void {
  const then = new Date(Date.now() - hours * 3_600_000);
  for (const blob of blobsOnDisk(directory)) utimesSync(join(files(directory), blob.slice(0, 2), blob), then, then);
}
