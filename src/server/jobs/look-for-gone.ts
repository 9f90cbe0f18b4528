import type { PostChanges } from '#backend/server/query-changed-posts.ts';

interface LookForGoneOptions {
  readonly changes: Pick<PostChanges, 'publicIds'>;
  /** Returns the slugs of the posts that stored pages show. */
  readonly shownPosts: () => readonly string[];
  readonly report: (slugs: readonly string[]) => Promise<void>;
}

/** Reports posts that stored pages show although they are no longer public. @throws the SDK's error */
export async function lookForGone({ changes, shownPosts, report }: LookForGoneOptions): Promise<void> {
  const shown = shownPosts();
  if (shown.length === 0) return;
  const there = await changes.publicIds();
  const gone = shown.filter((slug) => !there.has(slug));
  if (gone.length > 0) await report(gone);
}
