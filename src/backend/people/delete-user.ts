/** Uses the server key to delete a user and everything they own, because the client SDKs have no such call. */

import { Query } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import { documentsOf, filesOf, type KeyedBackend, keyedBackend } from '../keyed-backend.ts';
import { openPasskeyStore } from '../passkeys/stored-passkeys.ts';
import { dropVersionsOf } from '../sweep/versions.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';

/**
 * Deletes the posts of a blocked user with their former versions, then the pictures, then the user with their passkeys.
 * Then looks for posts and pictures again, because a write accepted before the block may be stored late. A failed call
 * can be repeated while the user exists.
 * @param gone called with the slugs of the deleted posts
 * @throws the SDK's error if the backend refuses or does not respond
 */
export async function deleteUser(
  target: ServerTarget,
  userId: string,
  gone: (slugs: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const backend = keyedBackend(target);
  await deleteAllOf(backend, userId, gone);
  await backend.users.delete({ userId });
  // Deletes passkeys after the account, so that a user without a password can sign in to repeat a failed deletion.
  await openPasskeyStore(target).forget(userId);
  await deleteAllOf(backend, userId, gone);
}

async function deleteAllOf(
  backend: KeyedBackend,
  userId: string,
  gone: (slugs: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const slugs = await slugsOf(backend, userId);
  for (const documentId of slugs) {
    await unless(404, backend.databases.deleteDocument({ ...backend.articles, documentId }));
    await dropVersionsOf(backend, documentId);
  }
  if (slugs.length > 0) await gone(slugs);
  await deleteFiles(backend, userId);
}

/** Returns the ids of all posts by this user, including drafts, but not posts forged in the user's name. */
export async function slugsOf(backend: KeyedBackend, userId: string): Promise<string[]> {
  const fields = ['$id', '$permissions', 'userId'];
  const own = documentsOf(backend, backend.articles, fields, Query.equal('userId', userId));
  const posts = (await Array.fromAsync(items(own))).map(postOf);
  return posts.filter((post) => !isForgery(post)).map(({ id }) => id);
}

/**
 * Deletes the user's files. Lists all files, because only the permissions name a file's owner, and they cannot be
 * queried.
 */
async function deleteFiles(backend: KeyedBackend, userId: string): Promise<void> {
  const { storage, bucketId } = backend;
  const own: string[] = [];
  for await (const { $id, $permissions } of items(filesOf(backend)))
    if ($permissions.includes(`update("user:${userId}")`)) own.push($id);
  for (const fileId of own) await unless(404, storage.deleteFile({ bucketId, fileId }));
}
