/** The session ended while a post was being written: sign in again in place. */

import { useId, useState } from 'react';
import { loginSchema } from '#blog/forms.ts';
import { loginMessage, loginText, sessionText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/Banner.tsx';
import { Button } from '#components/Button.tsx';
import { Dialog } from '#components/Dialog.tsx';
import { Field } from '#components/Field.tsx';
import { logInAgain } from '#stores/auth.ts';
import { useFields, useSubmit } from '../form.ts';

/** `question` as `useSession` has it. To be placed outside every form: it has one of its own. */
export function SignInAgain({ user, question }: { user: User; question: ((signedIn: boolean) => void) | undefined }) {
  const { field, check, set } = useFields(loginSchema, { email: user.email, password: '' });
  const [failure, setFailure] = useState('');
  const id = useId();
  const close = (signedIn: boolean) => {
    setFailure('');
    set({ password: '' });
    question?.(signedIn);
  };
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = check(loginSchema, form);
    if (!input) return;
    setBusy(true);
    try {
      await logInAgain(input, user.id);
      close(true);
    } catch (error) {
      setFailure(loginMessage(error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <Dialog
      open={question !== undefined}
      title={sessionText.title}
      description={
        <span className="wrap-anywhere">
          {sessionText.why} {sessionText.whose(user.name, user.email)}
        </span>
      }
      onClose={() => close(false)}
      busy={busy}
      actions={
        <>
          <Button tone="quiet" onClick={() => close(false)}>
            {sessionText.later}
          </Button>
          <Button type="submit" form={id} busy={busy}>
            {busy ? loginText.submitting : loginText.submit}
          </Button>
        </>
      }
    >
      <Banner message={failure} className="mb-5 empty:hidden" />
      <form id={id} noValidate onSubmit={onSubmit} className="grid gap-2">
        <Field label={loginText.email} type="email" inputMode="email" autoComplete="username" {...field('email')} />
        <Field
          label={loginText.password}
          type="password"
          autoComplete="current-password"
          // React's `autoFocus` looks for it before the dialog is shown; the browser goes by the attribute.
          ref={(input) => input?.setAttribute('autofocus', '')}
          {...field('password')}
        />
      </form>
    </Dialog>
  );
}
