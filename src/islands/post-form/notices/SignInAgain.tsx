/** The dialog to sign in again after the session has ended. */

import { useId, useState } from 'react';
import { loginSchema } from '#blog/forms/sign-in-forms.ts';
import { signInAgainText } from '#blog/messages/sign-in-again.ts';
import { loginMessage, loginText, sessionText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { logInAgain } from '#stores/account/auth.ts';
import { useFields, useSubmit } from '../../form.ts';

/**
 * The dialog; `question` comes from `useSession`. It contains a form, so it must be rendered outside the post's form.
 */
export function SignInAgain({ user, question }: { user: User; question: (signedIn: boolean) => void }) {
  const { field, check } = useFields(loginSchema, { email: user.email, password: '' });
  const [failure, setFailure] = useState('');
  const id = useId();
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      await logInAgain(input, user.id);
      question(true);
    } catch (error) {
      setFailure(loginMessage(error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <Dialog
      open
      title={sessionText.title}
      description={
        <span className="wrap-anywhere">
          {signInAgainText.why} {signInAgainText.whose(user.name, user.email)}
        </span>
      }
      onClose={() => question(false)}
      busy={busy}
      actions={
        <>
          <Button tone="quiet" onClick={() => question(false)}>
            {signInAgainText.later}
          </Button>
          <Button type="submit" form={id} busy={busy}>
            {busy ? loginText.submitting : loginText.submit}
          </Button>
        </>
      }
    >
      <Banner message={failure} className="mb-5 empty:hidden" />
      <form id={id} noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field label={loginText.email} type="email" inputMode="email" autoComplete="username" {...field('email')} />
        <Field
          label={loginText.password}
          type="password"
          autoComplete="current-password"
          ref={focusFirst}
          {...field('password')}
        />
      </form>
    </Dialog>
  );
}
