/** Creates a new site's database before its other files. If those exist without a database, the database was lost. */
import { join } from 'node:path';
import { requireDatabase } from 'embedded-appwrite';

export const backendFolder = (dataDirectory: string): string => join(dataDirectory, 'backend');

/** Returns paths that exist only if the site has, or had, a database. */
export const tracesOfData = (dataDirectory: string): string[] =>
  [join('backend', 'storage', 'files'), 'server-key', join('pages', 'public')].map((name) => join(dataDirectory, name));

/** @throws StoreError if the database was lost */
export const requireOwnDatabase = (dataDirectory: string): void =>
  requireDatabase(backendFolder(dataDirectory), tracesOfData(dataDirectory));
