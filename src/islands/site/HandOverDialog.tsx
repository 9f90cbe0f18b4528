import { useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import type { Person } from '#blog/people.ts';
import type { PostSummary } from '#blog/post.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { controlClass, Field } from '#components/controls/Field.tsx';
import { listMembers } from '#stores/people.ts';

interface HandOverDialogProps {
  readonly post: PostSummary;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (userId: string) => Promise<void>;
}

export function HandOverDialog({ post, busy, onClose, onConfirm }: HandOverDialogProps) {
  const [members, setMembers] = useState<readonly Pick<Person, 'id' | 'name'>[]>([]);
  const [chosen, setChosen] = useState('');
  const [failure, setFailure] = useState('');
  useEffect(() => {
    listMembers().then(setMembers, (error: unknown) => setFailure(peopleMessage(error)));
  }, []);
  return (
    <Dialog
      open
      title={peopleText.handOverTitle}
      description={peopleText.handOverHelp({ title: post.title })}
      onClose={onClose}
      busy={busy}
      actions={
        <>
          <Button tone="quiet" disabled={busy} onClick={onClose}>
            {peopleText.cancel}
          </Button>
          <Button busy={busy} disabled={!chosen} onClick={() => void onConfirm(chosen)}>
            {busy ? peopleText.working : peopleText.handOverTitle}
          </Button>
        </>
      }
    >
      <Banner message={failure} className="mb-4 empty:hidden" />
      <Field label={peopleText.author}>
        {(wiring) => (
          <select
            {...wiring}
            ref={focusFirst}
            value={chosen}
            className={controlClass}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="" />
            {members
              .filter(({ id }) => id !== post.userId)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
        )}
      </Field>
    </Dialog>
  );
}
