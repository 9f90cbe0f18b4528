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

/** Returns true if a list shows `post` before `other`. */
export function isAhead(post: PostSummary, other: PostSummary, { order }: PostListQuery): boolean {
  const later = Date.parse(post.createdAt) - Date.parse(other.createdAt);
  return order === 'oldest' ? later < 0 : later > 0;
}
