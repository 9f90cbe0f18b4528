import { getPost, subscribeToPosts } from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';

export type RemoteChange = 'changed' | 'deleted';

/** Calls `onChange` when the stored post differs from the loaded `post`. Returns a function that stops listening. */
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
      // Only logs errors: an ended session is reported by another notice, and after any other error, the post's state
      // is unknown, so there is nothing to report.
      missed: () => missed().catch((error: unknown) => console.info('followPost:', error)),
    },
    post.id,
  );
  return () => {
    ended = true;
    stop();
  };
}
