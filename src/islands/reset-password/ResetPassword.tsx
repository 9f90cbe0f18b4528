/** /reset-password: where the link of a mail leads that was asked for with a lost password. */

import { useEffect, useState } from 'react';
import { resetSchema } from '#blog/forms/account-forms.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { shellText } from '#blog/messages.ts';
import { FORGOT_PASSWORD, LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { type MailedLink, mailedLink, resetPassword } from '#stores/account/recovery.ts';
import { useFields, useSubmit } from '../form.ts';

export default function ResetPassword() {
  /** Null where the address holds none. */
  const [link, setLink] = useState<MailedLink | null>();
  useEffect(() => {
    setLink(mailedLink(location.search) ?? null);
    // What sets a password does not stay in the history.
    history.replaceState(null, '', location.pathname);
  }, []);
  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-8 text-3xl">{recoveryText.resetTitle}</h1>
      {link === undefined && <Spinner label={shellText.loading} />}
      {link === null && <Refused message={recoveryText.wrongLink} />}
      {link && <ResetForm link={link} />}
    </div>
  );
}

function Refused({ message }: { message: string }) {
  return (
    <>
      <Banner message={message} className="mb-6" />
      <ButtonLink href={FORGOT_PASSWORD} tone="quiet">
        {recoveryText.anotherLink}
      </ButtonLink>
    </>
  );
}

function ResetForm({ link }: { link: MailedLink }) {
  const { field, check } = useFields(resetSchema, { password: '', confirmPassword: '' }, [
    'password',
    'confirmPassword',
  ]);
  const [failure, setFailure] = useState('');
  const [isDone, setDone] = useState(false);
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      await resetPassword(link, input.password);
      setDone(true);
    } catch (error) {
      setFailure(recoveryMessage(error));
    } finally {
      setBusy(false);
    }
  });
  const password = { type: 'password', autoComplete: 'new-password', spellCheck: false } as const;
  if (isDone) {
    return (
      <>
        <p role="status" className="mb-6 text-base">
          {recoveryText.saved}
        </p>
        <p className="mb-6 text-base text-soft">{recoveryText.firstProof}</p>
        <ButtonLink href={LOGIN}>{recoveryText.signIn}</ButtonLink>
      </>
    );
  }
  if (failure === recoveryText.wrongLink) return <Refused message={failure} />;
  return (
    <>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field label={recoveryText.newPassword} help={signupText.passwordHelp} {...password} {...field('password')} />
        <Field label={recoveryText.confirmPassword} {...password} {...field('confirmPassword')} />
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? recoveryText.saving : recoveryText.save}
        </Button>
      </form>
    </>
  );
}
