/** Words that never reached the backend, offered back: the writer chooses, seeing what differs from the site's version. */

import { useEffect, useRef, useState } from 'react';
import { foundDraftText } from '#blog/messages/found-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import { findPost } from '#stores/post-actions.ts';
import { DraftDifference } from './DraftDifference.tsx';
import { type Draft, dropDraft, keepDraft, keepInText, pictureOf, picturesInText } from './draft.ts';
import { localAddress } from './editor/local-pictures.ts';
import type { FoundDraft } from './found-drafts.ts';
import { clock, region } from './moment.ts';
import { Notice } from './Notice.tsx';
import type { DraftKeeper } from './use-draft.ts';

interface DraftOfferProps {
  readonly found: readonly FoundDraft[];
  readonly keeper: DraftKeeper;
  /** As the site has it; absent while a new one is written. */
  readonly post: Post | undefined;
  /** Puts the words into the form. `isOurs`: no open tab writes this copy, so that it goes when the form has its words. */
  readonly onRestore: (draft: Draft, picture: File | undefined, isOurs: boolean) => void;
}

export function DraftOffer({ found, keeper, post, onRestore }: DraftOfferProps) {
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const [undo, setUndo] = useState<() => void>();
  const shown = useRef<string>(undefined);
  const left = found.filter(({ draft }) => !passed.has(draft.copy));
  // Another tab's words do not take the place of those that the writer is deciding about.
  const offered = left.find(({ draft }) => draft.copy === shown.current) ?? left[0];
  shown.current = offered?.draft.copy;
  const isSent = useSent(post ? undefined : offered?.draft);
  const pass = (copy: string) => setPassed(new Set([...passed, copy]));

  if (undo) {
    return (
      <Notice aria-label={foundDraftText.label}>
        <p role="status">{foundDraftText.discarded}</p>
        <Button tone="quiet" onClick={undo}>
          {foundDraftText.undo}
        </Button>
      </Notice>
    );
  }
  if (!offered) return null;
  const { draft, isOpen } = offered;
  const when = moment(draft.savedAt);

  const restore = async () => {
    const [picture, content] = await Promise.all([pictureOf(draft), withPictures(draft)]);
    await keeper.setAside();
    pass(draft.copy);
    onRestore({ ...draft, content }, picture, !isOpen);
  };
  const discard = async () => {
    const [picture, inText] = await Promise.all([pictureOf(draft), picturesInText(draft)]);
    pass(draft.copy);
    await dropDraft(draft);
    setUndo(() => async () => {
      await keepDraft(draft, picture);
      await keepInText(draft, [...inText], []);
      setPassed(new Set([...passed].filter((copy) => copy !== draft.copy)));
      setUndo(undefined);
    });
  };
  return (
    <Notice aria-label={foundDraftText.label}>
      <div className="grid min-w-0 flex-1 basis-60 gap-2">
        <p>
          {isSent
            ? foundDraftText.sent(draft.title.trim())
            : isOpen
              ? foundDraftText.otherTab(when)
              : words(draft, post, when)}
        </p>
        {post && draft.basedOn && Date.parse(draft.basedOn) !== Date.parse(post.updatedAt) && (
          <p className="font-medium">{foundDraftText.outdated}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {isOpen ? (
          <Button tone="quiet" onClick={() => pass(draft.copy)}>
            {foundDraftText.ignore}
          </Button>
        ) : (
          <Button tone="quiet" onClick={discard}>
            {post ? foundDraftText.keepSite : foundDraftText.discard}
          </Button>
        )}
        {isSent ? (
          <ButtonLink href={`/post/${draft.slug}`}>{postFormText.read}</ButtonLink>
        ) : (
          <Button onClick={restore}>{isOpen ? foundDraftText.takeOver : foundDraftText.restore}</Button>
        )}
      </div>
      {post && <DraftDifference draft={draft} post={post} />}
    </Notice>
  );
}

/** True for a new post that the site has as it stands in the copy: the page was left before it heard so. */
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
  there.userId === draft.userId && there.title === draft.title.trim() && there.content === draft.content;

/** The text with its pictures under addresses of this page: they are uploaded from there. */
async function withPictures(draft: Draft): Promise<string> {
  let { content } = draft;
  for (const [address, file] of await picturesInText(draft)) content = content.replaceAll(address, localAddress(file));
  return content;
}

function words({ title }: Draft, post: Post | undefined, when: string): string {
  if (post) return foundDraftText.changes(when);
  return title.trim() ? foundDraftText.titled(title.trim(), when) : foundDraftText.untitled(when);
}

/** `today at 15:04`, `on 3 November at 15:04` */
function moment(time: number): string {
  const then = new Date(time);
  if (then.toDateString() === new Date().toDateString()) return foundDraftText.today(clock(time));
  return foundDraftText.on(then.toLocaleDateString(region(), { day: 'numeric', month: 'long' }), clock(time));
}
