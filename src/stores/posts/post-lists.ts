import * as backend from '#backend/browser.ts';
import { faultOf } from '#blog/errors.ts';
import { deleteMessage, listMessage, postText } from '#blog/messages.ts';
import { isForgery } from '#blog/permissions.ts';
import { isPage, type PostStatus, type PostSummary } from '#blog/post.ts';
import { titleHolds } from '#blog/search/title-search.ts';
import { requireSession } from '../account/auth.ts';
import { remove } from './post-actions.ts';
import * as store from './posts.ts';
import { revalidate } from './revalidation.ts';

export type { PostListQuery } from '#backend/browser.ts';

/**
 * Lists posts. If a user's list contains no drafts, checks the session, because guests get lists without drafts.
 * @throws backend errors
 */
export async function listPosts(options: backend.ListOptions): Promise<backend.PostList> {
  const part = await backend.listPosts(options);
  if (options.userId !== undefined && part.posts.every(({ status }) => status === 'active')) {
    await requireSession(options.userId);
  }
  return part;
}

/**
 * Returns the ids of the posts that are still in the list. If some of the user's own posts are missing, first checks
 * that the session is still valid, because a guest would not see drafts. @throws backend errors
 */
export async function stillListed(posts: readonly PostSummary[], wanted: backend.PostListQuery): Promise<Set<string>> {
  const ids = posts.map(({ id }) => id);
  const still = await backend.stillListed(ids, wanted);
  if (wanted.userId !== undefined && still.size < ids.length) await requireSession(wanted.userId);
  return still;
}

export function belongs(
  post: PostSummary,
  { status = 'active', userId, onlyPages, search }: backend.PostListQuery,
): boolean {
  return (
    (status === 'any' || post.status === status) &&
    (userId === undefined || post.userId === userId) &&
    (!onlyPages || isPage(post)) &&
    titleHolds(post.title, search) &&
    !isForgery(post)
  );
}

export function isAhead(post: PostSummary, other: PostSummary, { order }: backend.PostListQuery): boolean {
  const later = Date.parse(post.createdAt) - Date.parse(other.createdAt);
  return order === 'oldest' ? later < 0 : later > 0;
}

/** Number of the latest request; responses to older requests are dropped. */
let asked = 0;

/** Fetches the first page of a list, or its first `limit` posts, into the store. Errors go to the store. */
export async function fetchPosts(wanted: backend.PostListQuery = {}, limit?: number): Promise<void> {
  asked += 1;
  const mine = asked;
  store.loadingStarted();
  try {
    const part = await listPosts({ ...wanted, ...(limit && { limit }) });
    if (mine !== asked) return;
    store.listForgotten();
    store.postsLoaded(part);
    if (!part.totalIsLeast) return;
    // The error has already been logged. Without an exact total, the list says "at least".
    const total = await backend.countPosts(wanted).catch(() => undefined);
    if (total !== undefined && mine === asked) store.totalCounted(total);
  } catch (error) {
    if (mine !== asked) return;
    store.listForgotten();
    store.loadingFailed(listMessage(error));
  }
}

export async function fetchMorePosts(wanted: backend.PostListQuery): Promise<void> {
  const { cursor } = store.$posts.get();
  if (cursor === undefined) return;
  const mine = asked;
  store.loadingStarted();
  try {
    const part = await behind(wanted, cursor);
    if (mine === asked) store.postsAppended(part);
  } catch (error) {
    if (mine === asked) store.loadingFailed(listMessage(error));
  }
}

/** Returns the page after the post `cursor` or, if that post is gone, after the last shown post that still exists. */
async function behind(wanted: backend.PostListQuery, cursor: string): Promise<backend.PostList> {
  const shown = store.$posts.get().posts.map(({ id }) => id);
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

/** Changes a post's status and refreshes public pages. @throws backend errors, or an Error if the post is gone */
export async function changeStatus(
  { id, userId }: PostSummary,
  status: PostStatus,
  wanted: backend.PostListQuery,
): Promise<void> {
  // Marks the post before the request, because the backend's event may arrive before the response.
  store.statusChanging(id, true);
  try {
    const post = await backend.changeStatus(id, status);
    if (!post) {
      await requireSession(userId);
      store.postRemoved(id);
      throw new Error(postText.notFound);
    }
    // The list changes only now, because readers may see the old status until the pages are revalidated.
    await revalidate(id);
    store.postStatusChanged(post, (each) => belongs(each, wanted));
  } catch (error) {
    store.statusChanging(id, false);
    throw error;
  }
}

/** Deletes a post. @throws backend errors, or an Error with the specification's message if the post still exists */
export async function deleteListed({ id, userId }: PostSummary, wanted: backend.PostListQuery): Promise<void> {
  const isCounted = (each: PostSummary) => belongs(each, wanted);
  const post = await backend.getPost(id);
  if (post && (await remove(post, isCounted))) return;
  await requireSession(userId);
  // While offline, the post may come from a stored copy, so the error gets the code of an unreachable backend.
  const isOffline = navigator.onLine === false;
  if (post) throw Object.assign(new Error(deleteMessage(undefined)), isOffline && { code: 503 });
  // If the post was already deleted, the deletion counts as a success.
  store.postRemoved(id, isCounted);
}
