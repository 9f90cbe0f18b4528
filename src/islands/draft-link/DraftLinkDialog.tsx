import { useId, useLayoutEffect, useState } from 'react';
import type { DraftLinkAction } from '#blog/draft-links/draft-link-action.ts';
import { DRAFT_LINK_TIMES, type DraftLink, type DraftLinkTime } from '#blog/draft-links/draft-links.ts';
import { faultOf } from '#blog/errors.ts';
import { draftLinkText } from '#blog/messages/draft-links.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { askDraftLink } from '#stores/posts/draft-links.ts';
import { dateTimeText } from '../post-form/format-time.ts';
import { useWork } from '../use-work.ts';

const CHOICES = DRAFT_LINK_TIMES.map((time) => [time, draftLinkText.times[time]] as const);

export function DraftLinkDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [link, setLink] = useState<DraftLink>();
  const [holds, setHolds] = useState<DraftLinkTime>('week');
  const { busy, said, failure, run, setSaid } = useWork((error) => faultOf(error).message);
  const name = useId();

  const ask = (action: DraftLinkAction, words?: string) =>
    run(action.action, async () => setLink(await askDraftLink(action)), words);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once per post, before the first paint.
  useLayoutEffect(() => void ask({ action: 'find', slug }), [slug]);

  return (
    <Dialog
      title={draftLinkText.title}
      description={draftLinkText.help}
      onClose={onClose}
      actions={
        <>
          <p role="status" className="min-w-0 flex-1 text-sm text-soft">
            {said}
          </p>
          <Button tone="quiet" onClick={onClose}>
            {draftLinkText.close}
          </Button>
          {link && (
            <Button
              tone="quiet"
              busy={busy !== ''}
              onClick={() => void ask({ action: 'take-back', slug }, draftLinkText.takenBack)}
            >
              {draftLinkText.takeBack}
            </Button>
          )}
          <Button busy={busy !== ''} onClick={() => void ask({ action: 'make', slug, holds })}>
            {link ? draftLinkText.makeAnother : draftLinkText.make}
          </Button>
        </>
      }
    >
      <Banner message={failure} className="mb-4 empty:hidden" />
      {link && (
        <div className="mb-4">
          <Field
            label={draftLinkText.link}
            readOnly
            value={link.url}
            help={`${draftLinkText.until({ time: dateTimeText(link.until) })} ${draftLinkText.replaces}`}
            onFocus={({ target }) => target.select()}
          />
          <Button
            tone="quiet"
            onClick={() => void navigator.clipboard.writeText(link.url).then(() => setSaid(draftLinkText.copied))}
          >
            {draftLinkText.copy}
          </Button>
        </div>
      )}
      <fieldset>
        <legend className="pb-1 text-sm font-medium">{draftLinkText.holds}</legend>
        <div className="flex flex-wrap gap-x-6">
          <Choices name={name} choices={CHOICES} chosen={holds} onChoose={setHolds} />
        </div>
      </fieldset>
    </Dialog>
  );
}
