/** Reads and sets who may create posts, as the permissions of the collections and the bucket say. */

import { Databases, Storage } from 'node-appwrite';
import type { Writers } from '#blog/people.ts';
import { BUCKET, COLLECTION, createPermission, REVISIONS, writersIn } from '../schema.ts';
import { type ServerTarget, serverClient } from '../target.ts';

export async function whoWrites(target: ServerTarget): Promise<Writers> {
  const { databaseId, collectionId } = target;
  const { $permissions } = await new Databases(serverClient(target)).getCollection({ databaseId, collectionId });
  return writersIn($permissions);
}

/** Lets `writers` create posts, former versions and pictures, from their next request. */
export async function letWrite(target: ServerTarget, writers: Writers): Promise<void> {
  const client = serverClient(target);
  const [databases, storage] = [new Databases(client), new Storage(client)];
  const { databaseId, collectionId, revisionsId, bucketId } = target;
  const among = (permissions: readonly string[]) => [createPermission(writers), ...permissions];
  // The posts' collection comes last: until then, everything works as before.
  for (const [id, { permissions }] of [
    [revisionsId, REVISIONS],
    [collectionId, COLLECTION],
  ] as const) {
    const place = { databaseId, collectionId: id };
    const { name, documentSecurity, enabled } = await databases.getCollection(place);
    await databases.updateCollection({
      ...place,
      name,
      documentSecurity,
      enabled,
      permissions: among(permissions),
    });
  }
  const bucket = await storage.getBucket({ bucketId });
  await storage.updateBucket({
    bucketId,
    name: bucket.name,
    permissions: among(BUCKET.permissions),
    fileSecurity: bucket.fileSecurity,
    enabled: bucket.enabled,
    maximumFileSize: bucket.maximumFileSize,
    allowedFileExtensions: bucket.allowedFileExtensions,
  });
}
