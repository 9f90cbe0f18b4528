import { useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import type { Person } from '#blog/people.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';

interface RemoveDialogProps {
  readonly person: Person;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (posts: 'delete' | 'hand-over') => Promise<void>;
}

export function RemoveDialog({ person, busy, onClose, onConfirm }: RemoveDialogProps) {
  const [posts, setPosts] = useState<'delete' | 'hand-over'>('hand-over');
  const choices = [
    ['hand-over', peopleText.handOverPosts],
    ['delete', peopleText.removePosts],
  ] as const;
  return (
    <Dialog
      open
      title={peopleText.removeTitle({ name: person.name || person.email })}
      description={peopleText.removeQuestion}
      onClose={onClose}
      busy={busy}
      actions={
        <>
          <Button tone="quiet" disabled={busy} onClick={onClose} ref={focusFirst}>
            {peopleText.cancel}
          </Button>
          <Button tone="danger" busy={busy} onClick={() => void onConfirm(posts)}>
            {busy ? peopleText.working : peopleText.removeConfirm}
          </Button>
        </>
      }
    >
      <fieldset className="grid gap-1">
        <legend className="sr-only">{peopleText.removeQuestion}</legend>
        {choices.map(([value, words]) => (
          <label key={value} className="flex min-h-11 items-center gap-3 text-base">
            <input type="radio" name="posts" checked={posts === value} onChange={() => setPosts(value)} />
            {words}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
