import { MIGRATIONS } from '../../src/sqlite/migrations.ts';
import { openStore } from '../../src/sqlite/store.ts';
import { folderOfTest } from './folder.ts';

export const OLD_DATE = '2024-01-01T00:00:00.000+00:00';

/** Creates a database with an older schema `version`, runs `sql` in it, and returns its folder. */
export async function olderDatabase(version: number, sql: string): Promise<string> {
  const directory = folderOfTest();
  const store = openStore(directory, MIGRATIONS.slice(0, version));
  store.database.exec(sql);
  await store.close();
  return directory;
}
