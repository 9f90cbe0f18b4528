import { useMemo, useState } from 'react';
import { syncedFileText } from '#blog/messages/synced-files.ts';
import { versionText } from '#blog/messages/versions.ts';
import { type Post, postValues } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import { type FileVersion, settle } from '#stores/posts/file-conflicts.ts';
import type { Row } from '../difference/align.ts';
import { differenceOf } from '../difference/compute-difference.ts';
import { DifferenceView } from '../difference/DifferenceView.tsx';
import { allOn, type Choices, clearChoices, merged, type Side, subjectsOf } from '../difference/merge.ts';
import type { EditedPostHandle, TakenVersion } from '../form-handle.ts';
import { dateTimeText } from '../format-time.ts';

interface ConflictDialogProps {
  readonly form: EditedPostHandle;
  readonly theirs: Post | FileVersion;
  /** Set if `theirs` is the version of a file in a synced folder. */
  readonly file?: SyncedFile | undefined;
  readonly onTaken: (taken: TakenVersion) => void;
  readonly onClose: () => void;
}

export function ConflictDialog({ form, theirs, file, onTaken, onClose }: ConflictDialogProps) {
  const [{ mine, base, before }] = useState(() => {
    const shown = form.onScreen();
    // Uses the form's featured image if `theirs` is from a synced file or if another image was chosen in the form.
    const keepsMine = file || shown.featuredImage instanceof File;
    const featuredImage = keepsMine ? shown.featuredImage : theirs.featuredImage;
    return { mine: { ...shown, featuredImage }, base: postValues(form.base), before: shown };
  });
  const difference = useMemo(() => {
    const picture = 'picture' in theirs ? theirs.picture : theirs.featuredImage;
    return differenceOf({ ...postValues(theirs), featuredImage: picture }, mine);
  }, [theirs, mine]);
  const [choices, setChoices] = useState<Choices>(() => {
    const clear = clearChoices(difference, base);
    // The file may differ because the stored post has changed, so only this form's changes are chosen automatically.
    return file ? new Map([...clear].filter(([, side]) => side === 'after')) : clear;
  });
  const open = subjectsOf(difference).filter((subject) => !choices.has(subject)).length;

  const decide = (decision: 'mine' | 'theirs' | 'merged') => {
    const decided = decision === 'merged' ? choices : allOn(difference, decision === 'mine' ? 'after' : 'before');
    form.take(merged(difference, decided));
    if (file) form.afterSaving(() => settle(file, theirs));
    else form.rebase(theirs);
    const undo = file && { undo: () => form.afterSaving(undefined) };
    const back = { label: versionText.putBack, version: before, ...undo };
    onTaken({ message: text.inForm[decision], ...(decision !== 'mine' && { back }) });
  };
  const text = file ? { ...versionText, ...syncedFileText.dialog } : versionText;
  const names = { before: text.serverVersion, after: text.yourVersion };
  return (
    <Dialog
      wide
      title={versionText.conflictTitle}
      description={
        file ? syncedFileText.comparing({ path: file.path }) : text.conflict({ moment: dateTimeText(theirs.updatedAt) })
      }
      onClose={onClose}
      actions={
        <>
          <p role="status" className="me-auto text-sm text-soft">
            {open > 0 ? versionText.undecided({ count: open }) : ''}
          </p>
          <Button tone="quiet" onClick={() => decide('theirs')}>
            {text.keepTheirs}
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
            {(Object.entries(sidesOf(text.theirs)[row?.kind ?? 'field']) as [Side, string][]).map(([side, label]) => (
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

const sidesOf = (theirs: string): Record<'field' | Row['kind'], { readonly [each in Side]?: string }> => ({
  field: { before: theirs, after: versionText.mine },
  changed: { before: theirs, after: versionText.mine, both: versionText.both },
  removed: { before: versionText.take, after: versionText.leaveOut },
  added: { after: versionText.take, before: versionText.leaveOut },
  same: {},
});
