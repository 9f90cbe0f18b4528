/** Says while a post is being edited that it was changed or deleted elsewhere, and what to do. */

import { useEffect, useRef, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { type Elsewhere, followPost } from '#stores/live-posts.ts';

interface ElsewhereNoticeProps {
  /** As this form has it. */
  readonly post: Post;
  /** This form is being sent: the news is of its own making. */
  readonly busy: boolean;
}

export function ElsewhereNotice({ post, busy }: ElsewhereNoticeProps) {
  const [news, setNews] = useState<Elsewhere>();
  const sending = useRef(busy);
  sending.current = busy;
  useEffect(() => {
    setNews(undefined);
    return followPost(post, (what) => {
      if (!sending.current) setNews(what);
    });
  }, [post]);
  if (!news) return null;
  return (
    <div role="alert" className="rounded-md bg-well px-4 py-3 text-base">
      {news === 'changed' ? (
        <p>
          This post was changed elsewhere while you have it open. Your words are still here.{' '}
          <a href={`/post/${post.id}`} target="_blank" rel="noopener">
            Open the other version in a new tab
          </a>{' '}
          to compare. Update asks once more before it puts yours in its place.
        </p>
      ) : (
        <p>
          This post was deleted elsewhere while you have it open. Your words are still here: to publish them again, copy
          them into a{' '}
          <a href="/add-post" target="_blank" rel="noopener">
            new post
          </a>
          .
        </p>
      )}
    </div>
  );
}
