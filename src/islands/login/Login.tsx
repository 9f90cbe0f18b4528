/** /login (spec 2, "Login"). */

import { useState } from 'react';
import { loginSchema } from '#blog/forms.ts';
import { loginMessage, loginText } from '#blog/messages.ts';
import { SIGNUP } from '#blog/routes/paths.ts';
import { Banner } from '#components/Banner.tsx';
import { Button } from '#components/Button.tsx';
import { Field } from '#components/Field.tsx';
import { FormPage } from '#components/FormPage.tsx';
import { logIn } from '#stores/auth.ts';
import { useFields, useSubmit } from '../form.ts';
import { Guard } from '../guard/Guard.tsx';

export default function Login() {
  return (
    <Guard access="signed-out">
      <FormPage title={loginText.title} question={loginText.question} href={SIGNUP} link={loginText.signUp}>
        <LoginForm />
      </FormPage>
    </Guard>
  );
}

/** The form alone; the page takes whoever is signed in to where they want to be. */
export function LoginForm() {
  const { field, check } = useFields(loginSchema, { email: '', password: '' });
  const [failure, setFailure] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = check(loginSchema, form);
    if (!input) return;
    setBusy(true);
    try {
      // The guard then takes the signed-in user home; the button stays busy until it has.
      await logIn(input);
    } catch (error) {
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
        <Field label={loginText.password} type="password" autoComplete="current-password" {...field('password')} />
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? loginText.submitting : loginText.submit}
        </Button>
      </form>
    </>
  );
}
