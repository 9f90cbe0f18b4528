/** Deletes a user with everything they own by server key, since the SDKs give users no such call. */

import { type Client, Databases, Query, Storage, Users } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import type { BackendIds } from '../schema.ts';
import { dropVersions } from '../sweep/versions.ts';
import { type ServerTarget, serverClient } from '../target.ts';
import { items } from '../walk.ts';

/**
 * Deletes the posts of a blocked user with their former versions, then their pictures, then the user. Repeats the
 * search, since a write accepted before the block may land later. Safe to call again after a failure, as the user goes
 * last.
 * @param gone called with the deleted posts
 * @throws the SDK's error if the backend refuses or does not answer
 */
export async function deleteUser(
  target: ServerTarget,
  userId: string,
  gone: (slugs: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const client = serverClient(target);
  await deleteAllOf(client, target, userId, gone);
  await new Users(client).delete({ userId });
  await deleteAllOf(client, target, userId, gone);
}

async function deleteAllOf(
  client: Client,
  target: ServerTarget,
  userId: string,
  gone: (slugs: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const databases = new Databases(client);
  const { databaseId, collectionId } = target;
  const slugs = await slugsOf(databases, target, userId);
  for (const documentId of slugs) {
    await unlessGone(databases.deleteDocument({ databaseId, collectionId, documentId }));
    await dropVersions(target, documentId);
  }
  if (slugs.length > 0) await gone(slugs);
  await deleteFiles(new Storage(client), target.bucketId, userId);
}

/** Returns the ids of all posts of this user, drafts too, without forgeries in their name. */
export async function slugsOf(databases: Databases, { databaseId, collectionId }: BackendIds, userId: string) {
  const slugs: string[] = [];
  const own = [Query.equal('userId', userId), Query.select(['$id', '$permissions', 'userId'])];
  const place = { databaseId, collectionId };
  for await (const document of items(
    async (queries) =>
      (await databases.listDocuments({ ...place, queries: [...own, ...queries], total: false })).documents,
  )) {
    const post = postOf(document);
    if (!isForgery(post)) slugs.push(post.id);
  }
  return slugs;
}

/** Lists all files, since only their permissions tell the owner and no query selects by them. */
async function deleteFiles(storage: Storage, bucketId: string, userId: string): Promise<void> {
  const own: string[] = [];
  const list = async (queries: string[]) => (await storage.listFiles({ bucketId, queries, total: false })).files;
  for await (const { $id, $permissions } of items(list))
    if ($permissions.includes(`update("user:${userId}")`)) own.push($id);
  for (const fileId of own) await unlessGone(storage.deleteFile({ bucketId, fileId }));
}

export async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (faultOf(error).code !== 404) throw error;
  });
}
