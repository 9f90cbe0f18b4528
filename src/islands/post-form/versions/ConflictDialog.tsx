/** Lets the writer keep one of two conflicting versions, or merge them block by block. */

import { useMemo, useState } from 'react';
import { versionText } from '#blog/messages/versions.ts';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import { differenceOf } from '../difference/compute-difference.ts';
import { DifferenceView } from '../difference/DifferenceView.tsx';
import { allOn, type Choices, clearChoices, merged, type Side, type Subject, subjectsOf } from '../difference/merge.ts';
import { type EditedPostHandle, type TakenVersion, versionOf } from '../form-handle.ts';
import { dateTimeText } from '../format-time.ts';

export interface ConflictDialogProps {
  readonly form: EditedPostHandle;
  readonly theirs: Post;
  readonly onTaken: (taken: TakenVersion) => void;
  readonly onClose: () => void;
}

export function ConflictDialog({ form, theirs, onTaken, onClose }: ConflictDialogProps) {
  const [{ mine, base, before }] = useState(() => {
    const shown = form.onScreen();
    // A picture that was not chosen in this form keeps the server's value.
    const featuredImage = shown.featuredImage instanceof File ? shown.featuredImage : theirs.featuredImage;
    return { mine: { ...shown, featuredImage }, base: versionOf(form.base), before: shown };
  });
  const difference = useMemo(() => differenceOf(versionOf(theirs), mine), [theirs, mine]);
  const [choices, setChoices] = useState<Choices>(() => clearChoices(difference, base));
  const open = subjectsOf(difference).filter((subject) => !choices.has(subject)).length;

  const decide = (decision: 'mine' | 'theirs' | 'merged') => {
    const decided = { mine: allOn(difference, 'after'), theirs: allOn(difference, 'before'), merged: choices }[
      decision
    ];
    form.take(merged(difference, decided));
    form.rebase(theirs);
    const back = { label: versionText.putBack, version: before };
    onTaken({ message: versionText.inForm[decision], ...(decision !== 'mine' && { back }) });
  };
  const names = { before: versionText.serverVersion, after: versionText.yourVersion };
  return (
    <Dialog
      open
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
          <Choice
            subject={subject}
            kind={row?.kind ?? 'field'}
            chosen={choices.get(subject)}
            onChoose={(side) => setChoices((before) => new Map(before).set(subject, side))}
          />
        )}
      />
    </Dialog>
  );
}

interface ChoiceProps {
  readonly subject: Subject;
  readonly kind: 'field' | 'same' | 'changed' | 'removed' | 'added';
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function Choice({ subject, kind, chosen, onChoose }: ChoiceProps) {
  const sides: readonly (readonly [Side, string])[] = {
    field: [
      ['before', versionText.theirs],
      ['after', versionText.mine],
    ] as const,
    changed: [
      ['before', versionText.theirs],
      ['after', versionText.mine],
      ['both', versionText.both],
    ] as const,
    removed: [
      ['before', versionText.take],
      ['after', versionText.leaveOut],
    ] as const,
    added: [
      ['after', versionText.take],
      ['before', versionText.leaveOut],
    ] as const,
    same: [],
  }[kind];
  return (
    <fieldset className="difference-choice" data-open={chosen === undefined || undefined}>
      <legend>{versionText.choose}</legend>
      {sides.map(([side, label]) => (
        <label key={side}>
          <input type="radio" name={`choice-${subject}`} checked={chosen === side} onChange={() => onChoose(side)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
