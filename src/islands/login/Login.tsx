/** /login (spec 2, "Login"). */

import { lazy, Suspense, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { loginSchema } from '#blog/forms/sign-in-forms.ts';
import { loginPageText } from '#blog/messages/login.ts';
import { loginMessage, loginText, shellText } from '#blog/messages.ts';
import { FORGOT_PASSWORD, SIGNUP } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { logIn } from '#stores/account/auth.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import { useFields, useSubmit } from '../form.ts';
import { Guard } from '../guard/Guard.tsx';
import { ShowPassword } from '../ShowPassword.tsx';

/** Few have one: it comes when it is asked for. */
const SecondFactorForm = lazy(() => importWithRetry(() => import('./SecondFactorForm.tsx')));

export default function Login() {
  const [isHalf, setHalf] = useState(false);
  // Whoever has given a password has an account.
  const other = isHalf ? undefined : { question: loginPageText.question, href: SIGNUP, link: loginPageText.signUp };
  return (
    <Guard access="signed-out">
      <FormPage title={loginText.title} other={other}>
        <LoginForm onHalf={setHalf} />
      </FormPage>
    </Guard>
  );
}

/**
 * The form alone; the page takes whoever is signed in to where they want to be.
 * @param onHalf told whether the second factor is asked for
 */
export function LoginForm({ onHalf }: { onHalf?: (isHalf: boolean) => void }) {
  const [isHalf, setHalf] = useState(false);
  const show = (half: boolean) => {
    setHalf(half);
    onHalf?.(half);
  };
  return isHalf ? (
    <Suspense fallback={<Spinner label={shellText.loading} />}>
      <SecondFactorForm onGiveUp={() => show(false)} />
    </Suspense>
  ) : (
    <PasswordStep onSecondFactor={() => show(true)} />
  );
}

function PasswordStep({ onSecondFactor }: { onSecondFactor: () => void }) {
  const { field, check } = useFields(loginSchema, { email: '', password: '' });
  const [shown, setShown] = useState(false);
  const [failure, setFailure] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      // The guard then takes the signed-in user home; the button stays busy until it has.
      await logIn(input);
    } catch (error) {
      if (faultOf(error).type === 'user_more_factors_required') return onSecondFactor();
      setFailure(loginMessage(error));
      setBusy(false);
    }
  });

  return (
    <>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field
          label={loginText.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          placeholder="you@example.com"
          {...field('email')}
        />
        <Field
          label={loginText.password}
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          spellCheck={false}
          aside={<ShowPassword shown={shown} onToggle={() => setShown(!shown)} what={loginText.password} />}
          {...field('password')}
        />
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? loginText.submitting : loginText.submit}
        </Button>
        <p>
          <a
            href={FORGOT_PASSWORD}
            className="inline-flex min-h-11 items-center text-base font-medium text-accent underline underline-offset-4"
          >
            {loginPageText.forgot}
          </a>
        </p>
      </form>
    </>
  );
}
