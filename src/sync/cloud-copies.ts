/** Tells apart from posts what cloud services put into a folder: copies of files in conflict, and placeholders. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Syncthing's, then Dropbox's, Nextcloud's and Obsidian Sync's names in some languages. */
const COPY =
  /\.sync-conflict-\d{8}-\d{6}[^/]*$|\((?=[^()]*(?:conflict|konflikt|conflit))(?=[^()]*(?:copy|kopie|copi[ae]))[^()]*\)\.\w+$|\(case conflict[^()]*\)\.\w+$/i;

/** Returns true for a copy that a cloud service named as one. */
export const isConflictCopy = (path: string): boolean => COPY.test(path);

/** Returns the path in `ink 2.md` (iCloud) or `ink (1).md` (Google Drive) without the number; undefined without one. */
export function numberedFrom(path: string): string | undefined {
  const [, stem, extension] = /^(.*\S) (?:\d+|\(\d+\))(\.\w+)$/.exec(path) ?? [];
  return stem && `${stem}${extension}`;
}

export const copyOf = (original: string): string =>
  `a cloud service made this copy when two devices changed ${original}: put what is missing there and delete the copy, or rename it to make it a post`;

/** Returns true for a file that iCloud keeps elsewhere and stands a placeholder in for. */
export const isEvicted = (directory: string, path: string): boolean =>
  existsSync(join(directory, dirname(path), `.${basename(path)}.icloud`));
