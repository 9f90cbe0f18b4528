import { useMemo, useState } from 'react';
import { versionText } from '#blog/messages/versions.ts';
import { type Post, postValues } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import type { Row } from '../difference/align.ts';
import { differenceOf } from '../difference/compute-difference.ts';
import { DifferenceView } from '../difference/DifferenceView.tsx';
import { allOn, type Choices, clearChoices, merged, type Side, subjectsOf } from '../difference/merge.ts';
import type { EditedPostHandle, TakenVersion } from '../form-handle.ts';
import { dateTimeText } from '../format-time.ts';

interface ConflictDialogProps {
  readonly form: EditedPostHandle;
  readonly theirs: Post;
  readonly onTaken: (taken: TakenVersion) => void;
  readonly onClose: () => void;
}

export function ConflictDialog({ form, theirs, onTaken, onClose }: ConflictDialogProps) {
  const [{ mine, base, before }] = useState(() => {
    const shown = form.onScreen();
    // Keeps the server's featured image unless another one was chosen in this form.
    const featuredImage = shown.featuredImage instanceof File ? shown.featuredImage : theirs.featuredImage;
    return { mine: { ...shown, featuredImage }, base: postValues(form.base), before: shown };
  });
  const difference = useMemo(() => differenceOf(postValues(theirs), mine), [theirs, mine]);
  const [choices, setChoices] = useState<Choices>(() => clearChoices(difference, base));
  const open = subjectsOf(difference).filter((subject) => !choices.has(subject)).length;

  const decide = (decision: 'mine' | 'theirs' | 'merged') => {
    const decided = decision === 'merged' ? choices : allOn(difference, decision === 'mine' ? 'after' : 'before');
    form.take(merged(difference, decided));
    form.rebase(theirs);
    const back = { label: versionText.putBack, version: before };
    onTaken({ message: versionText.inForm[decision], ...(decision !== 'mine' && { back }) });
  };
  const names = { before: versionText.serverVersion, after: versionText.yourVersion };
  return (
    <Dialog
      wide
      title={versionText.conflictTitle}
      description={versionText.conflict({ moment: dateTimeText(theirs.updatedAt) })}
      onClose={onClose}
      actions={
        <>
          <p role="status" className="me-auto text-sm text-soft">
            {open > 0 ? versionText.undecided({ count: open }) : ''}
          </p>
          <Button tone="quiet" onClick={() => decide('theirs')}>
            {versionText.keepTheirs}
          </Button>
          <Button tone="quiet" onClick={() => decide('mine')}>
            {versionText.keepMine}
          </Button>
          <Button aria-disabled={open > 0 || undefined} onClick={() => open === 0 && decide('merged')}>
            {versionText.useMerged}
          </Button>
        </>
      }
    >
      <DifferenceView
        difference={difference}
        names={names}
        chooser={(subject, row) => (
          <fieldset className="mt-2 flex flex-wrap gap-x-5 border-t border-hairline pt-1">
            <legend
              className={`float-start me-5 flex min-h-11 items-center text-sm ${choices.has(subject) ? 'text-soft' : 'font-semibold'}`}
            >
              {versionText.choose}
            </legend>
            {(Object.entries(SIDES[row?.kind ?? 'field']) as [Side, string][]).map(([side, label]) => (
              <label key={side} className="inline-flex min-h-11 cursor-pointer items-center gap-2 text-sm">
                <input
                  type="radio"
                  className="size-4.5 accent-accent"
                  name={`choice-${subject}`}
                  checked={choices.get(subject) === side}
                  onChange={() => setChoices(new Map(choices).set(subject, side))}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
      />
    </Dialog>
  );
}

const SIDES: Record<'field' | Row['kind'], { readonly [each in Side]?: string }> = {
  field: { before: versionText.theirs, after: versionText.mine },
  changed: { before: versionText.theirs, after: versionText.mine, both: versionText.both },
  removed: { before: versionText.take, after: versionText.leaveOut },
  added: { after: versionText.take, before: versionText.leaveOut },
  same: {},
};
