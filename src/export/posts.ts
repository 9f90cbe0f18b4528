/** What an export has to know of posts. */

import { checksum } from '@common-ink/http/compression.ts';
import type { PostSummary } from '#blog/post.ts';
import type { RoutedPost } from '#blog/routes/table.ts';

export type ListedPost = RoutedPost & Pick<PostSummary, 'title'>;

/**
 * For each post what says the same as long as its page shows the same of posts: itself, its author's name and its
 * adjacent posts. `posts` are all that are published, newest first; `names` their authors', by id.
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

/** The posts that are others than before, that came and that went. */
export function changedPosts(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id));
}
