/** Says while a post is being edited that it was changed or deleted elsewhere, and what to do. */

import { useEffect, useRef, useState } from 'react';
import { postFormText } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/Button.tsx';
import { type Elsewhere, followPost } from '#stores/live-posts.ts';

interface ElsewhereNoticeProps {
  /** As this form has it. */
  readonly post: Post;
  /** This form is being sent: the news is of its own making. */
  readonly busy: boolean;
  /** That it was changed is known already: an update was refused. */
  readonly changed: boolean;
  /** Shows what the two versions have of their own. */
  readonly onCompare: () => void;
}

export function ElsewhereNotice({ post, busy, changed, onCompare }: ElsewhereNoticeProps) {
  const [heard, setNews] = useState<Elsewhere>();
  const news = heard ?? (changed ? 'changed' : undefined);
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
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p>{postFormText.changedElsewhere}</p>
          <Button tone="quiet" onClick={onCompare}>
            {postFormText.compare}
          </Button>
        </div>
      ) : (
        <p>
          {postFormText.deletedElsewhere}{' '}
          <a href="/add-post" target="_blank" rel="noopener">
            {postFormText.newPost}
          </a>
        </p>
      )}
    </div>
  );
}
