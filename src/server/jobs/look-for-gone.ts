import type { PostChanges } from '#backend/server/query-changed-posts.ts';

interface LookForGoneOptions {
  readonly changes: Pick<PostChanges, 'publicIds'>;
  readonly storedPosts: () => readonly string[];
  readonly report: (slugs: readonly string[]) => Promise<void>;
}

/**
 * Reports posts that have stored pages but are no longer public, because lists of changed posts do not include deleted
 * ones. @throws the SDK's error
 */
export async function lookForGone({ changes, storedPosts, report }: LookForGoneOptions): Promise<void> {
  const stored = storedPosts();
  if (stored.length === 0) return;
  const there = await changes.publicIds();
  const gone = stored.filter((slug) => !there.has(slug));
  if (gone.length > 0) await report(gone);
}
