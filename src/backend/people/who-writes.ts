/** Reads and sets who may create posts. This setting is stored as permissions on the collections and the bucket. */

import type { Writers } from '#blog/people.ts';
import { keyedBackend } from '../keyed-backend.ts';
import { createPermission, writersIn } from '../schema.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

export async function whoWrites(target: ServerTarget): Promise<Writers> {
  const { databases, articles } = keyedBackend(target);
  const { $permissions } = await databases.getCollection(articles);
  return writersIn($permissions);
}

/** Lets `writers` create posts, former versions, synced-file records and pictures from their next request on. */
export async function letWrite(target: ServerTarget, writers: Writers): Promise<void> {
  const { databases, storage, articles, revisions, syncedFiles, bucketId } = keyedBackend(target);
  const permissions = [createPermission(writers)];
  // Updates the posts collection after the other two, because `whoWrites` reads it. If one of those two cannot be
  // updated, `whoWrites` still returns the old setting.
  for (const place of [syncedFiles, revisions, articles]) {
    const found = databases.getCollection(place);
    // A site that was provisioned by an earlier version lacks the collection of synced files.
    const collection = await (place === syncedFiles ? unless('collection_not_found', found) : found);
    if (!collection) continue;
    const { name, documentSecurity, enabled } = collection;
    await databases.updateCollection({ ...place, name, documentSecurity, enabled, permissions });
  }
  const { name, fileSecurity, enabled, maximumFileSize, allowedFileExtensions } = await storage.getBucket({ bucketId });
  const kept = { name, fileSecurity, enabled, maximumFileSize, allowedFileExtensions };
  await storage.updateBucket({ bucketId, ...kept, permissions });
}
