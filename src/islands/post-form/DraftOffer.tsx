/** Words of an earlier visit that never reached the backend, offered back; and when the present ones were kept. */

import { useEffect, useState } from 'react';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/Button.tsx';
import { abandonedDraft, type Draft, draftAt, dropDraft, type FoundDraft } from './draft.ts';

interface DraftOfferProps {
  readonly userId: string;
  /** Where this form keeps its own copy. */
  readonly ownKey: string;
  readonly post: Post | undefined;
  readonly onRestore: (draft: Draft) => void;
}

export function DraftOffer({ userId, ownKey, post, onRestore }: DraftOfferProps) {
  const [found, setFound] = useState<FoundDraft>();
  useEffect(() => {
    const own = draftAt(ownKey);
    if (own && differs(own, post)) setFound({ key: ownKey, draft: own });
    else if (!post) void abandonedDraft(userId).then(setFound);
  }, [userId, ownKey, post]);
  if (!found) return null;

  const { key, draft } = found;
  const restore = () => {
    onRestore(draft);
    setFound(undefined);
    // From now on the words are kept under this form's own key.
    if (key !== ownKey) dropDraft(key);
  };
  const discard = () => {
    dropDraft(key);
    setFound(undefined);
  };
  return (
    <section
      aria-label="Unsaved words"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md bg-well px-4 py-3 text-base"
    >
      <p>
        {post ? 'Changes to this post were' : <DraftTitle title={draft.title} />} kept on this device{' '}
        <time dateTime={new Date(draft.savedAt).toISOString()}>{moment(draft.savedAt)}</time> and never sent.
      </p>
      <div className="flex gap-3">
        <Button tone="quiet" onClick={discard}>
          Discard
        </Button>
        <Button onClick={restore}>Restore</Button>
      </div>
    </section>
  );
}

function DraftTitle({ title }: { title: string }) {
  return title.trim() ? (
    <>
      <q>{title.trim()}</q> was
    </>
  ) : (
    'A post without a title was'
  );
}

/** "Saved on this device" with the time. */
export function SavedNote({ savedAt }: { savedAt: number | null | undefined }) {
  if (savedAt === undefined) return null;
  if (savedAt === null) return 'Not saved on this device: its storage is full or switched off';
  return (
    <>
      Saved on this device <time dateTime={new Date(savedAt).toISOString()}>{clock(savedAt)}</time>
    </>
  );
}

const differs = (draft: Draft, post: Post | undefined) =>
  !post || draft.title !== post.title || draft.content !== post.content || draft.status !== post.status;

const clock = (time: number) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const moment = (time: number) =>
  new Date(time).toDateString() === new Date().toDateString()
    ? `today at ${clock(time)}`
    : `on ${new Date(time).toLocaleDateString([], { day: 'numeric', month: 'long' })} at ${clock(time)}`;
