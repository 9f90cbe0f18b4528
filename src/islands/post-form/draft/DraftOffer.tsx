import { useEffect, useMemo, useRef, useState } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { draftText, postFormText } from '#blog/messages.ts';
import { formValues, type Post } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Notice } from '../notices/Notice.tsx';
import { type Draft, deleteDraft, FEATURED, picturesOf, writeDraft, writePictures } from './draft-store.ts';
import { isSent, openDraft, type RecoveredDraft } from './find-drafts.ts';
import { savedAtText } from './saved-at-text.ts';
import type { DraftKeeper } from './use-draft.ts';

const DifferenceOf = lazyPart(() => import('../difference/DifferenceView.tsx'), 'DifferenceOf');

interface DraftOfferProps {
  readonly recovered: readonly RecoveredDraft[];
  readonly keeper: DraftKeeper;
  readonly post: Post | undefined;
  /** True if shown above the title, for drafts found before the form appeared. */
  readonly isAbove: boolean;
  /** If true, nothing can be restored, because the form deletes its draft once it is sent. */
  readonly isFrozen?: boolean;
  /** `isOurs` is true if this tab may delete the draft: no tab edits it, and all its pictures were read. */
  readonly onRestore: (draft: Draft, picture: File | undefined, isOurs: boolean) => void;
}

export function DraftOffer(props: DraftOfferProps) {
  const [height, setHeight] = useState(0);
  if (!props.isAbove) return <Offer {...props} />;
  const keep = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (!currentTarget.querySelector('[aria-expanded="true"]'))
      setHeight(Math.max(height, currentTarget.getBoundingClientRect().height));
  };
  // Keeps the height of the offer after the writer has chosen, so that nothing below moves.
  return (
    <div
      inert={props.isFrozen}
      onClickCapture={keep}
      style={{ minHeight: height }}
      className="form-offer text-sm [&>section]:rounded-md [&>section]:border [&>section]:border-hairline [&>section]:bg-well [&>section]:px-4 [&>section]:py-3"
    >
      <Offer {...props} />
    </div>
  );
}

function Offer({ recovered, keeper, post, isAbove, onRestore }: DraftOfferProps) {
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const [undo, setUndo] = useState<() => void>();
  const [restored, setRestored] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const shown = useRef<string>(undefined);
  const left = recovered.filter(({ draft }) => !passed.has(draft.copy));
  // Continues to offer the same draft even if other tabs add drafts.
  const offered = left.find(({ draft }) => draft.copy === shown.current) ?? left[0];
  shown.current = offered?.draft.copy;
  const unsent = post ? undefined : offered?.draft;
  const { value: hasArrived } = useLoaded(async () => unsent && isSent(unsent), [unsent]);
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
  if (!offered) return isAbove && restored ? <p role="status">{recoveredDraftText.restored}</p> : null;
  const { draft, isOpen } = offered;
  const when = savedAtText(draft.savedAt);
  const { result } = keeper.saved ?? {};

  const restore = async () => {
    const opened = await openDraft(draft);
    const isAside = await keeper.setAside();
    setRefused(!isAside);
    if (!isAside) return;
    pass(draft.copy);
    setRestored(true);
    onRestore(opened.draft, opened.picture, !isOpen && opened.isWhole);
  };
  const discard = async () => {
    const pictures = await picturesOf(draft);
    pass(draft.copy);
    // Deletes the draft only if its pictures were read, because Undo could not restore them otherwise.
    if (pictures) await deleteDraft(draft);
    setUndo(() => async () => {
      if (pictures) {
        await writeDraft(draft);
        await writePictures(draft, [...pictures], []);
      }
      setPassed(new Set([...passed].filter((copy) => copy !== draft.copy)));
      setUndo(undefined);
    });
  };
  return (
    <Notice aria-label={recoveredDraftText.label}>
      <div className="grid min-w-0 flex-1 basis-60 gap-2">
        <p>
          {hasArrived
            ? recoveredDraftText.sent({ title: draft.title.trim() })
            : isOpen
              ? recoveredDraftText.otherTab({ when })
              : words(draft, post, when)}
        </p>
        {post && draft.basedOn && Date.parse(draft.basedOn) !== Date.parse(post.updatedAt) && (
          <p className="font-medium">{recoveredDraftText.outdated}</p>
        )}
        {wasRefused && (result === 'full' || result === 'refused') && (
          <p role="alert" className="text-danger">
            {draftText[result]}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {hasArrived ? (
          <ButtonLink href={addressOfPost({ ...draft, id: draft.slug })}>{postFormText.read}</ButtonLink>
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

function DraftDifference({ draft, post }: { draft: Draft; post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const [picture, setPicture] = useState<File>();
  useEffect(() => {
    if (isOpen) void picturesOf(draft).then((pictures) => setPicture(pictures?.get(FEATURED)));
  }, [isOpen, draft]);
  const before = useMemo(
    () => ({ ...formValues(post), ...(picture && { featuredImage: post.featuredImage }) }),
    [post, picture],
  );
  const after = useMemo(() => ({ ...formValues(draft), ...(picture && { featuredImage: picture }) }), [draft, picture]);
  return (
    <Disclosure label={recoveredDraftText.compare} isOpen={isOpen} onToggle={setOpen} className="min-w-0 basis-full">
      <div className="mt-2 max-h-[60vh] overflow-auto">
        {isOpen && (
          <DifferenceOf
            fallback={<Spinner label={postFormText.loading} />}
            before={before}
            after={after}
            names={{ before: recoveredDraftText.site, after: recoveredDraftText.copy }}
          />
        )}
      </div>
    </Disclosure>
  );
}

function words({ title }: Draft, post: Post | undefined, when: string): string {
  if (post) return recoveredDraftText.changes({ when });
  return title.trim()
    ? recoveredDraftText.titled({ title: title.trim(), when })
    : recoveredDraftText.untitled({ when });
}
