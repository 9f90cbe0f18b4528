/** Conflicts between the edited post and its file in a synced folder. */

import * as backend from '#backend/browser/file-conflicts.ts';
import { formerPicture, keepRevision } from '#backend/browser.ts';
import { syncedFileText } from '#blog/messages/synced-files.ts';
import { type Post, postValues } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';

export interface FileVersion extends Post {
  /** The featured image as the form accepts it: the id of the post's own image, or another picture as a file. */
  readonly picture: string | File;
}

/** Returns the post with the file's values in the conflicting fields. Rethrows backend errors. */
export async function fileVersion(file: SyncedFile, post: Post): Promise<FileVersion> {
  const conflict = await backend.conflictIn(file);
  if (!conflict) throw new Error(syncedFileText.tooLong);
  const version = { ...post, ...postValues({ ...post, ...conflict }) };
  const { featuredImage } = version;
  const isOther = featuredImage !== '' && featuredImage !== post.featuredImage;
  return { ...version, picture: (isOther && (await formerPicture(featuredImage))) || post.featuredImage };
}

/**
 * Stores the file's version as an unpublished former version of the post, then lets the next sync write the post over
 * the file.
 * @throws Error if the version could not be stored; the SDK's error, 409 if the file has changed since
 */
export async function settle(file: SyncedFile, version: Post): Promise<void> {
  const kept = await keepRevision({ ...version, status: 'inactive', updatedAt: file.updatedAt });
  if (kept !== 'kept') throw new Error(syncedFileText.notKept);
  await backend.settleConflict(file);
}
