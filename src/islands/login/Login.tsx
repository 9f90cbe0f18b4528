/** The login page, /login (spec 2, "Login"). */

import { useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { loginSchema } from '#blog/forms/sign-in-forms.ts';
import { loginPageText } from '#blog/messages/login.ts';
import { loginMessage, loginText, shellText } from '#blog/messages.ts';
import { FORGOT_PASSWORD, SIGNUP } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { FormPage } from '#components/controls/FormPage.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { logIn } from '#stores/account/auth.ts';
import { Guard } from '../guard/Guard.tsx';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { SignInByPasskey } from '../passkeys/SignInByPasskey.tsx';
import { EmailField, PasswordField } from '../sign-in-fields.tsx';
import { TextLink } from '../TextLink.tsx';
import { PageForm, useForm } from '../use-form.tsx';

/** Loaded on demand: few accounts have a second factor. */
const SecondFactorForm = lazyPart(() => import('./SecondFactorForm.tsx'), 'SecondFactorForm');

export default function Login({ membersOnly }: Pick<Site, 'membersOnly'>) {
  const [isHalf, setHalf] = useState(false);
  const other =
    isHalf || membersOnly ? undefined : { question: loginPageText.question, href: SIGNUP, link: loginPageText.signUp };
  return (
    <Guard access="signed-out">
      <FormPage title={loginText.title} other={other}>
        <LoginForm onHalf={setHalf} />
      </FormPage>
    </Guard>
  );
}

/** The login form without the page around it. Calls `onHalf` when it starts or stops waiting for a second factor. */
export function LoginForm({ onHalf }: { onHalf?: (isHalf: boolean) => void }) {
  const [isHalf, setHalf] = useState(false);
  const show = (half: boolean) => {
    setHalf(half);
    onHalf?.(half);
  };
  return isHalf ? (
    <SecondFactorForm fallback={<Spinner label={shellText.loading} />} onGiveUp={() => show(false)} />
  ) : (
    <PasswordStep onSecondFactor={() => show(true)} />
  );
}

function PasswordStep({ onSecondFactor }: { onSecondFactor: () => void }) {
  const form = useForm({
    schema: loginSchema,
    initial: { email: '', password: '' },
    submit: async (input) => {
      try {
        await logIn(input);
      } catch (error) {
        if (faultOf(error).type !== 'user_more_factors_required') throw error;
        onSecondFactor();
      }
      return { isLeaving: true };
    },
    message: loginMessage,
  });
  return (
    <PageForm
      form={form}
      labels={[loginText.submit, loginText.submitting]}
      below={
        <>
          <SignInByPasskey suggests isPaused={form.busy} onSecondFactor={onSecondFactor} />
          <p>
            <TextLink href={FORGOT_PASSWORD} className="font-medium underline-offset-4">
              {loginPageText.forgot}
            </TextLink>
          </p>
        </>
      }
    >
      <EmailField label={loginText.email} autoComplete="username webauthn" {...form.field('email')} />
      <PasswordField label={loginText.password} canShow {...form.field('password')} />
    </PageForm>
  );
}
