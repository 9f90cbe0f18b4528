/** Tells a writer who has a post open what others do to it. */

import { getPost, watchPosts } from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';

/** What became of a post elsewhere while a writer has it open. */
export type Elsewhere = 'changed' | 'deleted';

/** Tells when `post` is no longer as it was loaded, until the function that it gives is called. */
export function followPost(post: Post, tell: (what: Elsewhere) => void): () => void {
  let ended = false;
  const differs = (updatedAt: string) => Date.parse(updatedAt) !== Date.parse(post.updatedAt);
  const missed = async () => {
    const now = await getPost(post.id).catch(() => post);
    if (ended) return;
    if (!now) tell('deleted');
    else if (differs(now.updatedAt)) tell('changed');
  };
  const stop = watchPosts(
    {
      heard: ({ post: now, deleted }) => {
        if (deleted) tell('deleted');
        else if (differs(now.updatedAt)) tell('changed');
      },
      missed,
    },
    post.id,
  );
  return () => {
    ended = true;
    stop();
  };
}
