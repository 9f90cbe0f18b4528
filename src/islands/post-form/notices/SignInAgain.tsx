/** The dialog to sign in again after the session has ended. */

import { lazy, Suspense, useId, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { loginSchema } from '#blog/forms/sign-in-forms.ts';
import { signInAgainText } from '#blog/messages/sign-in-again.ts';
import { errorText, loginMessage, loginText, sessionText, shellText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { logInAgain } from '#stores/account/auth.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import { useFields, useSubmit } from '../../form.ts';

/** Loaded on demand: few accounts have a second factor. */
const SecondFactorForm = lazy(() => importWithRetry(() => import('../../login/SecondFactorForm.tsx')));

/**
 * The dialog; `question` comes from `useSession`. It contains a form, so it must be rendered outside the post's form.
 */
export function SignInAgain({ user, question }: { user: User; question: (signedIn: boolean) => void }) {
  const { field, check } = useFields(loginSchema, { email: user.email, password: '' });
  const [failure, setFailure] = useState('');
  const [isHalf, setHalf] = useState(false);
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
      if (faultOf(error).type === 'user_more_factors_required') setHalf(true);
      else setFailure(loginMessage(error));
    } finally {
      setBusy(false);
    }
  });
  const completed = ({ id: signedIn }: User) => {
    if (signedIn === user.id) return question(true);
    setHalf(false);
    setFailure(errorText.otherAccount);
  };
  return (
    <Dialog
      open
      title={sessionText.title}
      description={
        <span className="wrap-anywhere">
          {signInAgainText.why} {signInAgainText.whose({ name: user.name, email: user.email })}
        </span>
      }
      onClose={() => question(false)}
      busy={busy}
      actions={
        <>
          <Button tone="quiet" onClick={() => question(false)}>
            {signInAgainText.later}
          </Button>
          {!isHalf && (
            <Button type="submit" form={id} busy={busy}>
              {busy ? loginText.submitting : loginText.submit}
            </Button>
          )}
        </>
      }
    >
      <Banner message={failure} className="mb-5 empty:hidden" />
      {isHalf ? (
        <Suspense fallback={<Spinner label={shellText.loading} />}>
          <SecondFactorForm onSignedIn={completed} onGiveUp={() => setHalf(false)} />
        </Suspense>
      ) : (
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
      )}
    </Dialog>
  );
}
