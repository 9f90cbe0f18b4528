/** What islands do with posts: ask the backend, tell the store, and have the public pages rendered anew after a write. */

import * as backend from '#backend/browser.ts';
import { deleteMessage, listMessage, postText, viewMessage } from '#blog/messages.ts';
import type { Post, PostStatus } from '#blog/post.ts';
import { keepFormer } from './former-versions.ts';
import { prepared } from './media.ts';
import {
  loadingFailed,
  loadingStarted,
  postAdded,
  postRemoved,
  postReplaced,
  postShown,
  postsAppended,
  postsLoaded,
} from './posts.ts';
import { revalidate } from './revalidation.ts';

export {
  type Attempt,
  ChangedElsewhere,
  type NewPost,
  type PostChanges,
  type Progress,
  type Sending,
} from '#backend/browser.ts';

export interface ListWanted {
  /** Active posts are listed by default (spec 9). */
  readonly status?: PostStatus;
  readonly userId?: string;
}

/** Fetches the first page of a list into the store and gives the cursor of the next. Errors land in the store. */
export async function fetchPosts(wanted: ListWanted = {}): Promise<string | undefined> {
  loadingStarted();
  return fetchPart(wanted, postsLoaded);
}

/** Fetches the page at `cursor` behind those in the store. */
export async function fetchMorePosts(wanted: ListWanted, cursor: string): Promise<string | undefined> {
  loadingStarted();
  return fetchPart({ ...wanted, cursor }, postsAppended, cursor);
}

/** Fetches one post into the store. Gives nothing when there is none, with "Post not found" in the store. */
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

/** Creates a post with its picture; resolves when the public pages show it. */
export async function createPost(draft: backend.NewPost, sending: backend.Sending = {}): Promise<Post> {
  const post = await backend.createPost({ ...draft, image: await prepared(draft.image) }, sending);
  postAdded(post);
  await revalidate(post.id);
  return post;
}

/**
 * Updates a post, after its former version was kept; resolves when the public pages show the change.
 * @throws ChangedElsewhere when the post is no longer as it was loaded. Nothing was overwritten then.
 */
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

/** Deletes a post, its files and its former versions. False, with the words in the store, when it is still there. */
export async function deletePost(post: Post): Promise<boolean> {
  if (!(await backend.deletePost(post))) {
    loadingFailed(deleteMessage(undefined));
    return false;
  }
  postRemoved(post.id);
  await revalidate(post.id);
  await backend.deleteRevisions(post);
  return true;
}

async function fetchPart(
  options: backend.ListOptions,
  done: (part: backend.PostList) => void,
  otherwise?: string,
): Promise<string | undefined> {
  try {
    const part = await backend.listPosts(options);
    done(part);
    return part.cursor;
  } catch (error) {
    loadingFailed(listMessage(error));
    return otherwise;
  }
}
