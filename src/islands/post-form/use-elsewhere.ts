/** What became of the post elsewhere since this form loaded it. */

import { useEffect, useRef, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { type Elsewhere, followPost } from '#stores/live-post.ts';

interface ElsewhereOptions {
  /** What is heard meanwhile is of this form's own making. */
  readonly isSending: boolean;
  /** Whether this is what the form shows: an update of its own whose answer was lost, say. */
  readonly isShown: (now: Post) => boolean;
  /** That became of the post, and is no news. */
  readonly onShown: (now: Post) => void;
}

export function useElsewhere(post: Post | undefined, options: ElsewhereOptions): Elsewhere | undefined {
  const [news, setNews] = useState<Elsewhere>();
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    setNews(undefined);
    if (!post) return;
    return followPost(post, (what, now) => {
      const { isSending, isShown, onShown } = latest.current;
      if (isSending) return;
      if (now && isShown(now)) onShown(now);
      else setNews(what);
    });
  }, [post]);
  return news;
}
