/** What islands do with posts: ask the backend, tell the store, and have the public pages rendered anew after a write. */

import * as backend from '#backend/browser.ts';
import { deleteMessage, listMessage, postText, viewMessage } from '#blog/messages.ts';
import type { Post, PostStatus } from '#blog/post.ts';
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

export type { NewPost, PostChanges, Progress } from '#backend/browser.ts';

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
export async function createPost(
  draft: backend.NewPost,
  onProgress?: (progress: backend.Progress) => void,
): Promise<Post> {
  const post = await backend.createPost(draft, onProgress);
  postAdded(post);
  await revalidate(post.id);
  return post;
}

/** Somebody saved the post after this writer opened it: in another tab, or on another device. */
export class ChangedElsewhere extends Error {
  readonly post: Post;
  constructor(post: Post) {
    super('The post was changed elsewhere.');
    this.post = post;
    this.name = 'ChangedElsewhere';
  }
}

/**
 * Updates a post; resolves when the public pages show the change.
 * @throws ChangedElsewhere when the post is no longer as it was loaded. Call again with its `post` to overwrite it.
 */
export async function updatePost(
  post: Post,
  changes: backend.PostChanges,
  onProgress?: (progress: backend.Progress) => void,
): Promise<Post> {
  const now = await backend.getPost(post.id);
  if (now && now.updatedAt !== post.updatedAt) throw new ChangedElsewhere(now);
  const updated = await backend.updatePost(post, changes, onProgress);
  postReplaced(updated);
  await revalidate(updated.id);
  return updated;
}

/** Deletes a post and its files. False, with the words in the store, when it is still there. */
export async function deletePost(post: Post): Promise<boolean> {
  if (!(await backend.deletePost(post))) {
    loadingFailed(deleteMessage(undefined));
    return false;
  }
  postRemoved(post.id);
  await revalidate(post.id);
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
