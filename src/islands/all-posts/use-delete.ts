/** Deletes a listed post after confirmation, focuses its neighbour, and shows a failure beside it. */

import { type RefObject, useEffect, useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { deleteMessage } from '#blog/messages.ts';
import type { PostSummary } from '#blog/post.ts';
import { deleteListed, type PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';

interface Failure {
  readonly id: string;
  readonly words: string;
}

export interface Deleting {
  /** The post whose deletion awaits confirmation. */
  readonly asked: PostSummary | undefined;
  readonly busy: boolean;
  readonly failure: Failure | undefined;
  readonly ask: (post: PostSummary) => void;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
}

/** @param list contains an element with `data-post` for each post */
export function useDelete(
  list: RefObject<HTMLElement | null>,
  wanted: PostListQuery,
  onDone: (words: string) => void,
): Deleting {
  const [asked, setAsked] = useState<PostSummary>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [left, setLeft] = useState<number>();
  // Runs after the dialog has closed, because closing moves the focus.
  useEffect(() => {
    if (left === undefined) return;
    focusNear(list.current, left);
    setLeft(undefined);
  }, [left, list]);

  const confirm = async () => {
    if (!asked) return;
    const { id, title } = asked;
    const at = $posts.get().posts.findIndex((post) => post.id === id);
    setBusy(true);
    setFailure(undefined);
    try {
      await deleteListed(asked, wanted);
      onDone(allPostsText.deleted({ title }));
      setLeft(at);
    } catch (error) {
      setFailure({ id, words: deleteMessage(error) });
    } finally {
      setBusy(false);
      setAsked(undefined);
    }
  };
  return { asked, busy, failure, ask: setAsked, cancel: () => setAsked(undefined), confirm };
}

/** Focuses the post now at `at`, otherwise the last post, otherwise the page's content. */
function focusNear(list: HTMLElement | null, at: number): void {
  const left = list?.querySelectorAll<HTMLElement>('[data-post]') ?? [];
  const near = left[Math.min(at, left.length - 1)]?.querySelector('a') ?? document.querySelector<HTMLElement>('main');
  near?.focus();
}
