/** Which list a post belongs to, by what is known of it in the browser. */

import type { PostListQuery } from '#backend/browser.ts';
import { isForgery } from '#blog/permissions.ts';
import type { PostSummary } from '#blog/post.ts';
import { titleHolds } from '#blog/search/title-search.ts';

export function belongs(post: PostSummary, { status = 'active', userId, search }: PostListQuery): boolean {
  return (
    (status === 'any' || post.status === status) &&
    (userId === undefined || post.userId === userId) &&
    titleHolds(post.title, search) &&
    !isForgery(post)
  );
}

/** Whether a list has `post` ahead of `other`. */
export function isAhead(post: PostSummary, other: PostSummary, { order }: PostListQuery): boolean {
  const later = Date.parse(post.createdAt) - Date.parse(other.createdAt);
  return order === 'oldest' ? later < 0 : later > 0;
}
