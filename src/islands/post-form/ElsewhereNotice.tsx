/** Says while a post is being edited that it was changed or deleted elsewhere, and what to do. */

import { postFormText } from '#blog/messages.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import type { Elsewhere } from '#stores/live-post.ts';
import { draftsAt } from './draft.ts';
import { Notice } from './Notice.tsx';
import type { DraftKeeper } from './use-draft.ts';

interface ElsewhereNoticeProps {
  readonly news: Elsewhere;
  /** Shows what the two versions have of their own. */
  readonly onCompare: () => void;
  readonly keeper: DraftKeeper;
}

export function ElsewhereNotice({ news, onCompare, keeper }: ElsewhereNoticeProps) {
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
        <>
          <p className="min-w-0 flex-1 basis-60">{postFormText.deletedElsewhere}</p>
          <ButtonLink
            tone="quiet"
            href="/add-post"
            target="_blank"
            rel="noopener"
            onClick={() => void takeAlong(keeper)}
          >
            {postFormText.newPost}
          </ButtonLink>
        </>
      )}
    </Notice>
  );
}

/** The words as they stand here are offered in the form for a new post; leaving them asks no more. */
async function takeAlong({ place, isOwn, touched, save, done }: DraftKeeper): Promise<void> {
  touched();
  if (!(await save())) return;
  const { copyToNew } = await import('./draft-of-new.ts');
  const own = (await draftsAt(place)).find(({ copy }) => isOwn(copy));
  if (own && (await copyToNew(own))) await done();
}
