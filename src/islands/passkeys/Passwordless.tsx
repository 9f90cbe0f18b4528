import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { resetSchema } from '#blog/forms/account-forms.ts';
import { accountText } from '#blog/messages/account.ts';
import { passkeyMessage, passkeyText } from '#blog/messages/passkeys.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { $passkeys, hasWorkingPasskey, removePassword, setFirstPassword } from '#stores/account/passkeys.ts';
import { Section } from '../account/Section.tsx';
import { NewPasswordFields, orLogin } from '../sign-in-fields.tsx';
import { StatusForm, useForm } from '../use-form.tsx';
import { useWork } from '../use-work.ts';

/** A button that removes the password, for users who also have a passkey. */
export function RemovePassword({ onRemoved }: { onRemoved: (said: string) => void }) {
  const own = useStore($passkeys);
  const [open, setOpen] = useState(false);
  const { busy, failure, run, clear } = useWork(passkeyMessage);
  if (!own?.hasPassword || !hasWorkingPasskey(own)) return null;
  const close = () => {
    clear();
    setOpen(false);
  };
  const remove = async () => {
    if (await run('remove', () => orLogin(removePassword))) onRemoved(passkeyText.passwordRemoved);
  };
  return (
    <>
      <Button tone="quiet" className="mt-4" onClick={() => setOpen(true)}>
        {passkeyText.removePassword}
      </Button>
      {open && (
        <ConfirmDialog
          title={passkeyText.removePassword}
          description={passkeyText.removePasswordHelp}
          cancel={passkeyText.cancel}
          confirm={passkeyText.removePassword}
          working={passkeyText.working}
          busy={busy !== ''}
          onConfirm={() => void remove()}
          onClose={close}
        >
          <Banner message={failure} className="empty:hidden" />
        </ConfirmDialog>
      )}
    </>
  );
}

const EMPTY = { password: '', confirmPassword: '' };

/** Sets the password of a user who has none. Shown instead of the form that changes the password. */
export function FirstPassword({ user, onChanged }: { user: User; onChanged: (said: string) => void }) {
  const form = useForm({
    schema: resetSchema,
    initial: EMPTY,
    submit: async ({ password }) => {
      await orLogin(() => setFirstPassword(user, password));
      onChanged(passkeyText.passwordSet);
      return {};
    },
    message: passkeyMessage,
  });
  return (
    <Section title={accountText.password} help={passkeyText.noPassword}>
      <StatusForm form={form} labels={[passkeyText.setPassword, accountText.saving]}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <NewPasswordFields field={form.field} labels={[accountText.newPassword, accountText.confirmPassword]} />
      </StatusForm>
    </Section>
  );
}
