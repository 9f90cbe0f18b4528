import * as backend from '#backend/browser.ts';
import { faultOf } from '#blog/errors.ts';
import { deleteMessage, listMessage, postText } from '#blog/messages.ts';
import type { PostStatus, PostSummary } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';
import { belongs } from './list-membership.ts';
import { listPosts } from './own-lists.ts';
import { remove } from './post-actions.ts';
import {
  $posts,
  listForgotten,
  loadingFailed,
  loadingStarted,
  postRemoved,
  postStatusChanged,
  postsAppended,
  postsLoaded,
  statusChanging,
  totalCounted,
} from './posts.ts';
import { revalidate } from './revalidation.ts';

export type { PostListQuery } from '#backend/browser.ts';

/** Number of the latest request; answers to older requests are dropped. */
let asked = 0;

/** Fetches the first page of a list, or its first `limit` posts, into the store. Errors go to the store. */
export async function fetchPosts(wanted: backend.PostListQuery = {}, limit?: number): Promise<void> {
  asked += 1;
  const mine = asked;
  loadingStarted();
  try {
    const part = await listPosts({ ...wanted, ...(limit && { limit }) });
    if (mine !== asked) return;
    listForgotten();
    postsLoaded(part);
    if (part.totalIsLeast) await countOn(wanted, mine);
  } catch (error) {
    if (mine !== asked) return;
    listForgotten();
    loadingFailed(listMessage(error));
  }
}

async function countOn(wanted: backend.PostListQuery, mine: number): Promise<void> {
  // The request has logged the error; without a total the list says "at least".
  const total = await backend.countPosts(wanted).catch(() => undefined);
  if (total !== undefined && mine === asked) totalCounted(total);
}

export async function fetchMorePosts(wanted: backend.PostListQuery): Promise<void> {
  const { cursor } = $posts.get();
  if (cursor === undefined) return;
  const mine = asked;
  loadingStarted();
  try {
    const part = await behind(wanted, cursor);
    if (mine === asked) postsAppended(part);
  } catch (error) {
    if (mine === asked) loadingFailed(listMessage(error));
  }
}

/** Returns the page after `cursor`. If that post is gone, the page after the last shown post that exists. */
async function behind(wanted: backend.PostListQuery, cursor: string): Promise<backend.PostList> {
  const shown = $posts.get().posts.map(({ id }) => id);
  const end = shown.indexOf(cursor);
  for (const at of [cursor, ...shown.slice(0, end < 0 ? undefined : end).toReversed()]) {
    try {
      return await listPosts({ ...wanted, cursor: at });
    } catch (error) {
      if (faultOf(error).type !== 'general_cursor_not_found') throw error;
    }
  }
  return listPosts(wanted);
}

/**
 * Publishes or unpublishes a listed post, which keeps its place; resolves when the public pages are up to date.
 * @throws backend errors, or an Error with a message if the post is gone; the post is unchanged.
 */
export async function changeStatus(
  { id, userId }: PostSummary,
  status: PostStatus,
  wanted: backend.PostListQuery,
): Promise<void> {
  // The backend's event may arrive before its response.
  statusChanging(id, true);
  try {
    const post = await backend.changeStatus(id, status);
    if (!post) {
      await requireSession(userId);
      postRemoved(id);
      throw new Error(postText.notFound);
    }
    // Readers may still see the post until its pages are revalidated.
    await revalidate(id);
    postStatusChanged(post, (each) => belongs(each, wanted));
  } catch (error) {
    statusChanging(id, false);
    throw error;
  }
}

/**
 * Deletes a listed post.
 * @throws backend errors, or an Error in the specification's words; the post still exists.
 */
export async function deleteListed({ id, userId }: PostSummary, wanted: backend.PostListQuery): Promise<void> {
  const isCounted = (each: PostSummary) => belongs(each, wanted);
  const post = await backend.getPost(id);
  if (post && (await remove(post, isCounted))) return;
  await requireSession(userId);
  if (post) throw new Error(deleteMessage(undefined));
  // A post that was already deleted counts as a success.
  postRemoved(id, isCounted);
}
