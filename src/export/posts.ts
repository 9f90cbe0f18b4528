import { checksum } from '@common-ink/http/compression.ts';
import type { PostSummary } from '#blog/post.ts';
import type { RoutedPost } from '#blog/routes/table.ts';

export type ListedPost = RoutedPost & Pick<PostSummary, 'title'>;

/**
 * A version covers what a post's page shows: the post, its author's name and the adjacent posts.
 * @param posts all published ones, newest first
 */
export function postVersions(
  posts: readonly ListedPost[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    posts.map(({ id, title, createdAt, updatedAt, userId }, at) => {
      const shown = [title, createdAt, updatedAt, names.get(userId), posts[at - 1]?.id, posts[at + 1]?.id];
      return [id, checksum(JSON.stringify(shown))];
    }),
  );
}

export function changedPosts(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id));
}
