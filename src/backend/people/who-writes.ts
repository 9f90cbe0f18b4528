/** Reads and sets who may create posts, which is stored as permissions on the collections and the bucket. */

import type { Writers } from '#blog/people.ts';
import { keyedBackend } from '../keyed-backend.ts';
import { BUCKET, COLLECTION, createPermission, REVISIONS, writersIn } from '../schema.ts';
import type { ServerTarget } from '../target.ts';

export async function whoWrites(target: ServerTarget): Promise<Writers> {
  const { databases, articles } = keyedBackend(target);
  const { $permissions } = await databases.getCollection(articles);
  return writersIn($permissions);
}

/** Lets `writers` create posts, former versions and pictures, from their next request. */
export async function letWrite(target: ServerTarget, writers: Writers): Promise<void> {
  const { databases, storage, articles, revisions, bucketId } = keyedBackend(target);
  const among = (permissions: readonly string[]) => [createPermission(writers), ...permissions];
  // The posts collection comes second: `whoWrites` reads it, so the setting is unchanged if the first step fails.
  for (const [place, { permissions }] of [
    [revisions, REVISIONS],
    [articles, COLLECTION],
  ] as const) {
    const { name, documentSecurity, enabled } = await databases.getCollection(place);
    await databases.updateCollection({ ...place, name, documentSecurity, enabled, permissions: among(permissions) });
  }
  const { name, fileSecurity, enabled, maximumFileSize, allowedFileExtensions } = await storage.getBucket({ bucketId });
  const kept = { name, fileSecurity, enabled, maximumFileSize, allowedFileExtensions };
  await storage.updateBucket({ bucketId, ...kept, permissions: among(BUCKET.permissions) });
}
