/** Reads and settles conflicts between a post and its file in a synced folder. */

import { SYNCED_FILES_ID, type SyncedFile } from '#blog/synced-file.ts';
import { connect, connectAsOf, logged } from './client.ts';

/** Returns the file's values for the conflicting fields; undefined if they were too long to be stored. */
export function conflictIn({ id: documentId }: SyncedFile): Promise<object | undefined> {
  return logged('conflictIn', async () => {
    const { conflict } = await connect().databases.getDocument<import('appwrite').Models.DefaultDocument>({
      ...place(),
      documentId,
    });
    return typeof conflict === 'string' && conflict ? (JSON.parse(conflict) as object) : undefined;
  });
}

/**
 * Lets the next sync overwrite the file with the post.
 * @throws the SDK's error: 409 if the record of the file has changed since it was read
 */
export function settleConflict({ id: documentId, updatedAt }: SyncedFile): Promise<void> {
  return logged('settleConflict', async () => {
    const data = { state: 'settled', conflict: null };
    await connectAsOf(updatedAt).databases.updateDocument({ ...place(), documentId, data });
  });
}

const place = () => ({ databaseId: connect().site.databaseId, collectionId: SYNCED_FILES_ID });
