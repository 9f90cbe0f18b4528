/** Recognises files that cloud services add to a folder: conflict copies, and placeholders for files not on disk. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Matches conflict copies of Syncthing, then those of Dropbox, Nextcloud and Obsidian Sync in some languages. */
const COPY =
  /\.sync-conflict-\d{8}-\d{6}[^/]*$|\((?=[^()]*(?:conflict|konflikt|conflit))(?=[^()]*(?:copy|kopie|copi[ae]))[^()]*\)\.\w+$|\(case conflict[^()]*\)\.\w+$/i;

/** Returns true if the file's name marks it as a copy that a cloud service made because of a conflict. */
export const isConflictCopy = (path: string): boolean => COPY.test(path);

/**
 * Removes the number from `ink 2.md` (iCloud) or `ink (1).md` (Google Drive). Returns undefined if the name has no
 * such number.
 */
export function numberedFrom(path: string): string | undefined {
  const [, stem, extension] = /^(.*\S) (?:\d+|\(\d+\))(\.\w+)$/.exec(path) ?? [];
  return stem && `${stem}${extension}`;
}

export const copyOf = (original: string): string =>
  `a cloud service made this copy when two devices changed ${original}: copy anything missing into that file and delete the copy, or rename it to make it a post`;

/** Returns true if iCloud has replaced the file with a placeholder. */
export const isEvicted = (directory: string, path: string): boolean =>
  existsSync(join(directory, dirname(path), `.${basename(path)}.icloud`));
