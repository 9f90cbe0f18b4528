import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { INDEX_FILE } from './repository/page-repository.ts';

/** Returns the paths in the store at `directory`, which another process may have open; none without a store. */
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
