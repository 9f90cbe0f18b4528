import { useEffect, useRef, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { followPost, type RemoteChange } from '#stores/posts/live-post.ts';

interface RemoteChangeOptions {
  /** True while the form is being sent: changes then come from the form itself. */
  readonly isSending: boolean;
  /** Returns true if the form already shows this version, such as after an update whose response was lost. */
  readonly isShown: (now: Post) => boolean;
  readonly onShown: (now: Post) => void;
}

export function useRemoteChange(post: Post | undefined, options: RemoteChangeOptions): RemoteChange | undefined {
  const [news, setNews] = useState<RemoteChange>();
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
