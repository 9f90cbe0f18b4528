/** Remote changes of a post that a writer has open. */

import { getPost, subscribeToPosts } from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';

/** A change of the open post in another tab or by somebody else. */
export type RemoteChange = 'changed' | 'deleted';

/**
 * Calls `onChange` when `post` is no longer as it was loaded, until the function that it gives is called. `now`: as it is instead,
 * where that is known.
 */
export function followPost(post: Post, onChange: (what: RemoteChange, now?: Post) => void): () => void {
  let ended = false;
  const differs = (updatedAt: string) => Date.parse(updatedAt) !== Date.parse(post.updatedAt);
  const missed = async () => {
    const now = await getPost(post.id).catch(() => post);
    if (ended) return;
    if (now) {
      if (differs(now.updatedAt)) onChange('changed', now);
    } else {
      await requireSession(post.userId);
      if (!ended) onChange('deleted');
    }
  };
  const stop = subscribeToPosts(
    {
      changed: ({ post: now, deleted }) => {
        if (deleted) onChange('deleted');
        else if (differs(now.updatedAt)) onChange('changed');
      },
      // The session has ended, which is said elsewhere, or that cannot be found out.
      missed: () => missed().catch((error: unknown) => console.info('followPost:', error)),
    },
    post.id,
  );
  return () => {
    ended = true;
    stop();
  };
}
