import { type RefObject, useEffect, useState } from 'react';
import { allPostsText } from '#blog/messages/all-posts.ts';
import { deleteMessage } from '#blog/messages.ts';
import type { PostSummary } from '#blog/post.ts';
import { deleteListed, type PostListQuery } from '#stores/posts/post-lists.ts';
import { $posts } from '#stores/posts/posts.ts';
import { useWork } from '../use-work.ts';

/** Asks before deleting a post, then focuses the next one in `list`, whose items must have `data-post`. */
export function useDelete(list: RefObject<HTMLElement | null>, wanted: PostListQuery, onDone: (words: string) => void) {
  const [asked, setAsked] = useState<PostSummary>();
  const [tried, setTried] = useState('');
  const [left, setLeft] = useState<number>();
  const { busy, failure, run } = useWork(deleteMessage);
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
    setTried(id);
    if (await run(id, () => deleteListed(asked, wanted))) {
      onDone(allPostsText.deleted({ title }));
      setLeft(at);
    }
    setAsked(undefined);
  };
  return { asked, busy: busy !== '', failureOf: (id: string) => (tried === id ? failure : ''), ask: setAsked, confirm };
}

function focusNear(list: HTMLElement | null, at: number): void {
  const left = list?.querySelectorAll<HTMLElement>('[data-post]') ?? [];
  const near = left[Math.min(at, left.length - 1)]?.querySelector('a') ?? document.querySelector<HTMLElement>('main');
  near?.focus();
}
