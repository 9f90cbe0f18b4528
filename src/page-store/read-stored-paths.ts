/** The addresses of stored pages, read beside the process that keeps them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { INDEX_FILE } from './repository/page-repository.ts';

/** Of the store in `directory`; none where there is no store. */
export function readStoredPaths(directory: string): string[] {
  const file = join(directory, INDEX_FILE);
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare('SELECT path FROM pages')
      .all()
      .map(({ path }) => `${path}`);
  } finally {
    database.close();
  }
}
