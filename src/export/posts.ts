import { checksum } from '@common-ink/http/compression.ts';
import { isPage, type PostSummary } from '#blog/post.ts';
import type { RoutedPost } from '#blog/routes/table.ts';

export type ListedPost = RoutedPost & Pick<PostSummary, 'title'>;

/**
 * Maps each post's id to a checksum of what its page shows: the post, its author's name and the adjacent posts.
 * @param posts all published posts and pages, newest first
 */
export function postVersions(
  posts: readonly ListedPost[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const version = ({ title, createdAt, updatedAt, userId }: ListedPost, ...around: (string | undefined)[]) =>
    checksum(JSON.stringify([title, createdAt, updatedAt, names.get(userId), ...around]));
  const { page: pages = [], post: listed = [] } = Object.groupBy(posts, (post) => (isPage(post) ? 'page' : 'post'));
  return new Map([
    ...listed.map((post, at) => [post.id, version(post, listed[at - 1]?.id, listed[at + 1]?.id)] as const),
    ...pages.map((page) => [page.id, version(page)] as const),
  ]);
}

export function changedPosts(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id));
}
