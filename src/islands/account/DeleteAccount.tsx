import { useId, useState } from 'react';
import { forgotSchema } from '#blog/forms/account-forms.ts';
import { type LoginForm, loginSchema } from '#blog/forms/sign-in-forms.ts';
import { accountText, deletionMessage } from '#blog/messages/account.ts';
import { passkeyFault } from '#blog/messages/passkeys.ts';
import { peopleText } from '#blog/messages/people.ts';
import { HOME } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { ConfirmDialog, focusFirst } from '#components/controls/Dialog.tsx';
import { deleteAccount } from '#stores/account/account.ts';
import { useProof } from '../passkeys/use-proof.tsx';
import { useForm } from '../use-form.tsx';
import { Section } from './Section.tsx';

export function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <Section title={accountText.deleteTitle} help={accountText.deleteHelp}>
      <Button tone="danger" onClick={() => setOpen(true)}>
        {accountText.deleteButton}
      </Button>
      {open && <DeleteQuestion user={user} onClose={() => setOpen(false)} />}
    </Section>
  );
}

const REFUSALS = {
  'wrong-password': accountText.wrongPassword,
  'last-owner': peopleText.lastOwner,
  'not-found': accountText.nobodyToTakeThem,
} as const;

const CHOICES = [
  ['delete', accountText.deletePosts],
  ['hand-over', accountText.handOverPosts],
] as const;

function DeleteQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  const [posts, setPosts] = useState<'delete' | 'hand-over'>('delete');
  const proof = useProof();
  const id = useId();
  const { field, busy, failure, onSubmit } = useForm<LoginForm, Partial<LoginForm>>({
    schema: proof.isPasskey ? forgotSchema : loginSchema,
    initial: { email: user.email, password: '' },
    submit: async ({ password }) => {
      const done = await deleteAccount(await proof.prove(password), posts);
      if (done !== 'deleted') return { failure: REFUSALS[done] };
      location.assign(HOME);
      return { isLeaving: true };
    },
    message: (error) => passkeyFault(error) ?? deletionMessage(error),
  });
  return (
    <ConfirmDialog
      title={accountText.deleteTitle}
      description={accountText.deleteQuestion}
      cancel={accountText.cancel}
      confirm={accountText.deleteConfirm}
      working={accountText.deleting}
      form={id}
      busy={busy}
      onClose={onClose}
    >
      <Banner message={failure} className="mb-5 empty:hidden" />
      <form id={id} noValidate onSubmit={onSubmit}>
        <fieldset className="mb-4 grid gap-2">
          <legend className="sr-only">{accountText.whatBecomes}</legend>
          <Choices name="posts" choices={CHOICES} chosen={posts} onChoose={setPosts} />
        </fieldset>
        {proof.field({ ref: focusFirst, ...field('password') })}
      </form>
    </ConfirmDialog>
  );
}
