/** What became of the post elsewhere since this form loaded it. */

import { useEffect, useRef, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { type Elsewhere, followPost } from '#stores/live-post.ts';

/** `isSending`: what is heard meanwhile is of this form's own making. */
export function useElsewhere(post: Post | undefined, isSending: boolean): Elsewhere | undefined {
  const [news, setNews] = useState<Elsewhere>();
  const sending = useRef(isSending);
  sending.current = isSending;
  useEffect(() => {
    setNews(undefined);
    if (!post) return;
    return followPost(post, (what) => {
      if (!sending.current) setNews(what);
    });
  }, [post]);
  return news;
}
