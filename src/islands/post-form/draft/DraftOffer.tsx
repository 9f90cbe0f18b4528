/** Offers drafts that never reached the backend, with their differences from the published post. */

import { useEffect, useRef, useState } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import { type Post, sameFormValues } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import { findPost } from '#stores/post-actions.ts';
import { localAddress } from '../editor/pictures/local-files.ts';
import { Notice } from '../notices/Notice.tsx';
import { DraftDifference } from './DraftDifference.tsx';
import { type Draft, deleteDraft, pictureOf, picturesInText, writeDraft, writePictures } from './draft-store.ts';
import type { RecoveredDraft } from './recovered-drafts.ts';
import { savedAtText } from './saved-at-text.ts';
import type { DraftKeeper } from './use-draft.ts';

interface DraftOfferProps {
  readonly recovered: readonly RecoveredDraft[];
  readonly keeper: DraftKeeper;
  /** The published post; undefined while a new one is written. */
  readonly post: Post | undefined;
  /**
   * Puts the draft into the form. `isOurs` is true where no open tab writes it, so that it can be dropped afterwards.
   */
  readonly onRestore: (draft: Draft, picture: File | undefined, isOurs: boolean) => void;
}

export function DraftOffer({ recovered, keeper, post, onRestore }: DraftOfferProps) {
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const [undo, setUndo] = useState<() => void>();
  const shown = useRef<string>(undefined);
  const left = recovered.filter(({ draft }) => !passed.has(draft.copy));
  // The offered draft stays the same while others come in from other tabs.
  const offered = left.find(({ draft }) => draft.copy === shown.current) ?? left[0];
  shown.current = offered?.draft.copy;
  const isSent = useSent(post ? undefined : offered?.draft);
  const pass = (copy: string) => setPassed(new Set([...passed, copy]));

  if (undo) {
    return (
      <Notice aria-label={recoveredDraftText.label}>
        <p role="status">{recoveredDraftText.discarded}</p>
        <Button tone="quiet" onClick={undo}>
          {recoveredDraftText.undo}
        </Button>
      </Notice>
    );
  }
  if (!offered) return null;
  const { draft, isOpen } = offered;
  const when = savedAtText(draft.savedAt);

  const restore = async () => {
    const [picture, content] = await Promise.all([pictureOf(draft), withPictures(draft)]);
    await keeper.setAside();
    pass(draft.copy);
    onRestore({ ...draft, content }, picture, !isOpen);
  };
  const discard = async () => {
    const [picture, inText] = await Promise.all([pictureOf(draft), picturesInText(draft)]);
    pass(draft.copy);
    await deleteDraft(draft);
    setUndo(() => async () => {
      await writeDraft(draft, picture);
      await writePictures(draft, [...inText], []);
      setPassed(new Set([...passed].filter((copy) => copy !== draft.copy)));
      setUndo(undefined);
    });
  };
  return (
    <Notice aria-label={recoveredDraftText.label}>
      <div className="grid min-w-0 flex-1 basis-60 gap-2">
        <p>
          {isSent
            ? recoveredDraftText.sent(draft.title.trim())
            : isOpen
              ? recoveredDraftText.otherTab(when)
              : words(draft, post, when)}
        </p>
        {post && draft.basedOn && Date.parse(draft.basedOn) !== Date.parse(post.updatedAt) && (
          <p className="font-medium">{recoveredDraftText.outdated}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {isSent ? (
          <ButtonLink href={postPath(draft.slug)}>{postFormText.read}</ButtonLink>
        ) : (
          <Button onClick={restore}>{isOpen ? recoveredDraftText.takeOver : recoveredDraftText.restore}</Button>
        )}
        {isOpen ? (
          <Button tone="quiet" onClick={() => pass(draft.copy)}>
            {recoveredDraftText.ignore}
          </Button>
        ) : (
          <Button tone="quiet" onClick={discard}>
            {post ? recoveredDraftText.keepSite : recoveredDraftText.discard}
          </Button>
        )}
      </div>
      {post && <DraftDifference draft={draft} post={post} />}
    </Notice>
  );
}

/** True for a draft of a new post that the backend already has: the page was left before the answer arrived. */
function useSent(draft: Draft | undefined): boolean {
  const [sent, setSent] = useState<Draft>();
  useEffect(() => {
    if (!draft || !isSlug(draft.slug)) return;
    findPost(draft.slug).then(
      (there) => there && isSame(draft, there) && setSent(draft),
      () => {},
    );
  }, [draft]);
  return sent !== undefined && sent === draft;
}

const isSame = (draft: Draft, there: Post) =>
  there.userId === draft.userId && sameFormValues({ ...draft, title: draft.title.trim(), status: there.status }, there);

/** The draft's content with its pictures under addresses of this page, from which they are uploaded. */
async function withPictures(draft: Draft): Promise<string> {
  let { content } = draft;
  for (const [address, file] of await picturesInText(draft)) content = content.replaceAll(address, localAddress(file));
  return content;
}

function words({ title }: Draft, post: Post | undefined, when: string): string {
  if (post) return recoveredDraftText.changes(when);
  return title.trim() ? recoveredDraftText.titled(title.trim(), when) : recoveredDraftText.untitled(when);
}
