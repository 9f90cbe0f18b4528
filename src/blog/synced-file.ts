/** A post's file in a folder that `npm run sync` keeps in sync with the blog. */

export const SYNCED_FILES_ID = 'synced-files';

/**
 * `conflict`: the file and the post have changed in the same places. `settled`: the author has resolved the conflict
 * in the form.
 */
export const SYNCED_FILE_STATES = ['equal', 'conflict', 'settled'] as const;
export type SyncedFileState = (typeof SYNCED_FILE_STATES)[number];

export interface SyncedFile {
  readonly id: string;
  /** Path relative to the synced folder. */
  readonly path: string;
  readonly state: SyncedFileState;
  /** ISO date of the last sync after which the file and the post were equal; empty if they never were. */
  readonly equalAt: string;
  /** ISO date. */
  readonly updatedAt: string;
}
