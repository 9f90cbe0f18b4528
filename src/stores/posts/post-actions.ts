/** Actions on posts: call the backend, update the store, and refresh the public pages after a write. */

import * as backend from '#backend/browser.ts';
import { deleteMessage, postText, viewMessage } from '#blog/messages.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { prepared } from '../pictures/media.ts';
import { keepFormer } from './former-versions.ts';
import { loadingFailed, loadingStarted, postAdded, postRemoved, postReplaced, postShown } from './posts.ts';
import { revalidate } from './revalidation.ts';

export type { Attempt, NewPost, PostChanges, Progress, Sending } from '#backend/browser.ts';
export { EditConflict } from '#backend/browser.ts';

/** Fetches a post into the store. Returns undefined, with "Post not found" in the store, if it does not exist. */
export async function findPost(slug: string): Promise<Post | undefined> {
  loadingStarted();
  try {
    const post = await backend.getPost(slug);
    if (post) postShown(post);
    else loadingFailed(postText.notFound);
    return post;
  } catch (error) {
    loadingFailed(viewMessage(error));
    throw error;
  }
}

export async function createPost(draft: backend.NewPost, sending: backend.Sending = {}): Promise<Post> {
  const image = draft.image && (await prepared(draft.image));
  const post = await backend.createPost({ ...draft, image }, sending);
  postAdded(post);
  await revalidate(post.id);
  return post;
}

/** Updates a post and refreshes public pages. @throws EditConflict, without writing, if `post` is out of date */
export async function updatePost(
  post: Post,
  changes: backend.PostChanges,
  sending: backend.Sending = {},
): Promise<Post> {
  const image = changes.image && (await prepared(changes.image));
  await keepFormer(post);
  const updated = await backend.updatePost(post, { ...changes, image }, sending);
  postReplaced(updated);
  await revalidate(updated.id);
  return updated;
}

/** Deletes a post, its files and its former versions. Returns false, with an error in the store, on failure. */
export async function deletePost(post: Post): Promise<boolean> {
  if (await remove(post)) return true;
  loadingFailed(deleteMessage(undefined));
  return false;
}

/** Like `deletePost`, but sets no error in the store. `isCounted` returns whether the current total includes a post. */
export async function remove(post: Post, isCounted?: (post: PostSummary) => boolean): Promise<boolean> {
  if (!(await backend.deletePost(post))) return false;
  postRemoved(post.id, isCounted);
  await revalidate(post.id);
  await backend.deleteRevisions(post);
  return true;
}
