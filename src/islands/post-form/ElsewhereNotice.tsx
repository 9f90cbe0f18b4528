/** Says while a post is being edited that it was changed or deleted elsewhere, and what to do. */

import { postFormText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import type { Elsewhere } from '#stores/live-post.ts';
import { Notice } from './Notice.tsx';

interface ElsewhereNoticeProps {
  readonly news: Elsewhere;
  /** Shows what the two versions have of their own. */
  readonly onCompare: () => void;
}

export function ElsewhereNotice({ news, onCompare }: ElsewhereNoticeProps) {
  return (
    <Notice role="alert">
      {news === 'changed' ? (
        <>
          <p className="min-w-0 flex-1 basis-60">{postFormText.changedElsewhere}</p>
          <Button tone="quiet" onClick={onCompare}>
            {postFormText.compare}
          </Button>
        </>
      ) : (
        <p>
          {postFormText.deletedElsewhere}{' '}
          <a href="/add-post" target="_blank" rel="noopener">
            {postFormText.newPost}
          </a>
        </p>
      )}
    </Notice>
  );
}
