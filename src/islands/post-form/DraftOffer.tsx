/** Words that never reached the backend, offered back: the writer chooses, seeing what differs from the site's version. */

import { useState } from 'react';
import { draftText } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/Button.tsx';
import { DraftDifference } from './DraftDifference.tsx';
import { type Draft, dropDraft, keepDraft, pictureOf } from './draft.ts';
import { useFoundDrafts } from './found-drafts.ts';
import { moment } from './moment.ts';
import type { DraftKeeper } from './use-draft.ts';

interface DraftOfferProps {
  readonly keeper: DraftKeeper;
  /** As the site has it; absent while a new one is written. */
  readonly post: Post | undefined;
  /** Puts the words into the form. `isOurs`: no open tab writes this copy, so that it goes when the form has its words. */
  readonly onRestore: (draft: Draft, picture: File | undefined, isOurs: boolean) => void;
}

export function DraftOffer({ keeper, post, onRestore }: DraftOfferProps) {
  const found = useFoundDrafts(keeper, post);
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const [undo, setUndo] = useState<() => void>();
  const offered = found.find(({ draft }) => !passed.has(draft.copy));
  const pass = (copy: string) => setPassed(new Set([...passed, copy]));

  if (undo) {
    return (
      <Frame>
        <p role="status">{draftText.discarded}</p>
        <Button tone="quiet" onClick={undo}>
          {draftText.undo}
        </Button>
      </Frame>
    );
  }
  if (!offered) return null;
  const { draft, isOpen } = offered;
  const when = moment(draft.savedAt);

  const restore = async () => {
    const picture = await pictureOf(draft);
    await keeper.setAside();
    pass(draft.copy);
    onRestore(draft, picture, !isOpen);
  };
  const discard = async () => {
    const picture = await pictureOf(draft);
    pass(draft.copy);
    await dropDraft(draft);
    setUndo(() => async () => {
      await keepDraft(draft, picture);
      setPassed(new Set([...passed].filter((copy) => copy !== draft.copy)));
      setUndo(undefined);
    });
  };
  return (
    <Frame>
      <div className="grid min-w-0 flex-1 basis-80 gap-2">
        <p>{isOpen ? draftText.otherTab(when) : words(draft, post, when)}</p>
        {post && draft.basedOn && Date.parse(draft.basedOn) !== Date.parse(post.updatedAt) && (
          <p className="font-medium">{draftText.outdated}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {isOpen ? (
          <Button tone="quiet" onClick={() => pass(draft.copy)}>
            {draftText.ignore}
          </Button>
        ) : (
          <Button tone="quiet" onClick={discard}>
            {post ? draftText.keepSite : draftText.discard}
          </Button>
        )}
        <Button onClick={restore}>{isOpen ? draftText.takeOver : draftText.restore}</Button>
      </div>
      {post && <DraftDifference draft={draft} post={post} />}
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <section
      aria-label={draftText.label}
      className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-md bg-well px-4 py-3 text-base"
    >
      {children}
    </section>
  );
}

function words({ title }: Draft, post: Post | undefined, when: string): string {
  if (post) return draftText.changes(when);
  return title.trim() ? draftText.titled(title.trim(), when) : draftText.untitled(when);
}
