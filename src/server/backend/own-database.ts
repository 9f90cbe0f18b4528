/** The embedded backend's database in the data folder: the first thing that a new site makes, so that its loss shows. */
import { join } from 'node:path';
import { requireDatabase } from 'embedded-appwrite';

/** Returns the embedded backend's folder. */
export const backendFolder = (dataDirectory: string): string => join(dataDirectory, 'backend');

/** Returns paths that hold something only where there is, or was, a database. */
export const tracesOfData = (dataDirectory: string): string[] =>
  [join('backend', 'storage', 'files'), 'server-key', join('pages', 'public')].map((name) => join(dataDirectory, name));

/**
 * Makes the database where the site is new.
 * @throws StoreError when the database was lost.
 */
export const requireOwnDatabase = (dataDirectory: string): void =>
  requireDatabase(backendFolder(dataDirectory), tracesOfData(dataDirectory));
