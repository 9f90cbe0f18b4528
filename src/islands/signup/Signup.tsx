/** /signup (spec 2, "Sign-up"). */

import { useEffect, useState } from 'react';
import { signupSchema } from '#blog/forms/sign-in-forms.ts';
import { peopleText } from '#blog/messages/people.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { signupMessage } from '#blog/messages.ts';
import { LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { signUp } from '#stores/account/auth.ts';
import { whoWrites } from '#stores/people.ts';
import { useFields, useSubmit } from '../form.ts';
import { Guard } from '../guard/Guard.tsx';
import { ShowPassword } from '../ShowPassword.tsx';

export default function Signup() {
  return (
    <Guard access="signed-out">
      <FormPage
        title={signupText.title}
        other={{ question: signupText.question, href: LOGIN, link: signupText.signIn }}
      >
        <MembersOnly />
        <SignupForm />
      </FormPage>
    </Guard>
  );
}

const EMPTY = { name: '', email: '', password: '', confirmPassword: '' };

/** The form alone; the page takes whoever is signed in to where they want to be. */
export function SignupForm() {
  const { field, check } = useFields(signupSchema, EMPTY, ['password', 'confirmPassword']);
  const [shown, setShown] = useState(false);
  const [failure, setFailure] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      // The guard then takes the signed-in user home; the button stays busy until it has.
      await signUp(input);
    } catch (error) {
      setFailure(signupMessage(error));
      setBusy(false);
    }
  });
  const password = { type: shown ? 'text' : 'password', autoComplete: 'new-password', spellCheck: false };

  return (
    <>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field
          label={signupText.name}
          autoComplete="name"
          placeholder={signupText.namePlaceholder}
          {...field('name')}
        />
        <Field
          label={signupText.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          placeholder="you@example.com"
          {...field('email')}
        />
        <Field
          label={signupText.password}
          placeholder={signupText.passwordPlaceholder}
          help={signupText.passwordHelp}
          aside={<ShowPassword shown={shown} onToggle={() => setShown(!shown)} what={signupText.passwords} />}
          {...password}
          {...field('password')}
        />
        <Field label={signupText.confirmPassword} {...password} {...field('confirmPassword')} />
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? signupText.submitting : signupText.submit}
        </Button>
      </form>
    </>
  );
}

/** Says that an account alone is not enough to write, where it is so. */
function MembersOnly() {
  const [isSo, setSo] = useState(false);
  useEffect(() => {
    void whoWrites().then((writers) => setSo(writers === 'members'));
  }, []);
  return (
    <p role="status" className="mb-6 text-base text-soft empty:hidden">
      {isSo && peopleText.membersOnly}
    </p>
  );
}
