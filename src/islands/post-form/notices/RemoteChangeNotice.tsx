import { postFormText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import type { RemoteChange } from '#stores/posts/live-post.ts';
import { draftsAt } from '../draft/draft-store.ts';
import { type DraftKeeper, hasWords } from '../draft/use-draft.ts';
import { Notice } from './Notice.tsx';

interface RemoteChangeNoticeProps {
  readonly change: RemoteChange;
  readonly onCompare: () => void;
  readonly keeper: DraftKeeper;
}

export function RemoteChangeNotice({ change, onCompare, keeper }: RemoteChangeNoticeProps) {
  const isChanged = change === 'changed';
  return (
    <Notice role="alert">
      <p className="min-w-0 flex-1 basis-60">{postFormText[isChanged ? 'changedElsewhere' : 'deletedElsewhere']}</p>
      {isChanged ? (
        <Button tone="quiet" onClick={onCompare}>
          {postFormText.compare}
        </Button>
      ) : (
        <ButtonLink tone="quiet" href={ADD_POST} target="_blank" rel="noopener" onClick={() => void takeAlong(keeper)}>
          {postFormText.newPost}
        </ButtonLink>
      )}
    </Notice>
  );
}

/** Moves the draft to a new post, so that the browser does not warn about unsaved text when the writer leaves. */
async function takeAlong({ location, isOwn, touched, save, done }: DraftKeeper): Promise<void> {
  touched();
  if (!hasWords(await save())) return;
  const { copyToNewPost } = await import('../draft/move-to-new-post.ts');
  const own = (await draftsAt(location)).find(({ copy }) => isOwn(copy));
  if (own && (await copyToNewPost(own))) await done();
}
