/** The sign-up page, /signup (spec 2, "Sign-up"). */

import { type MouseEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type PasskeySignupForm,
  passkeySignupSchema,
  type SignupForm as SignupInput,
  signupSchema,
} from '#blog/forms/sign-in-forms.ts';
import { passkeyFault, passkeyText } from '#blog/messages/passkeys.ts';
import { peopleText } from '#blog/messages/people.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { signupMessage } from '#blog/messages.ts';
import { LOGIN } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { signUp } from '#stores/account/auth.ts';
import { canUsePasskeys, signUpWithPasskey } from '#stores/account/passkeys.ts';
import { Guard } from '../guard/Guard.tsx';
import { EmailField, NewPasswordFields } from '../sign-in-fields.tsx';
import { PageForm, useForm } from '../use-form.tsx';

export default function Signup({ membersOnly }: Pick<Site, 'membersOnly'>) {
  return (
    <Guard access="signed-out">
      <FormPage
        title={signupText.title}
        other={{ question: signupText.question, href: LOGIN, link: signupText.signIn }}
      >
        {membersOnly && <p className="mb-6 text-base text-soft">{peopleText.membersOnly}</p>}
        <SignupForm />
      </FormPage>
    </Guard>
  );
}

const EMPTY = { name: '', email: '', password: '', confirmPassword: '' };

export function SignupForm() {
  const [hasPassword, setPassword] = useState(true);
  const form = useForm<typeof EMPTY, SignupInput | PasskeySignupForm>({
    schema: hasPassword ? signupSchema : passkeySignupSchema,
    initial: EMPTY,
    submit: async (input) => {
      await ('password' in input ? signUp(input) : signUpWithPasskey(input));
      return { isLeaving: true };
    },
    message: (error) => passkeyFault(error) ?? signupMessage(error),
  });
  const withoutPassword = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // Validates this one submission with the passkey schema, which requires no password.
    flushSync(() => setPassword(false));
    currentTarget.form?.requestSubmit();
    setPassword(true);
  };
  return (
    <PageForm
      form={form}
      labels={[signupText.submit, signupText.submitting]}
      below={
        canUsePasskeys() && (
          <Button tone="quiet" className="w-full" busy={form.busy} onClick={withoutPassword}>
            {passkeyText.signUp}
          </Button>
        )
      }
    >
      <Field
        label={signupText.name}
        autoComplete="name"
        placeholder={signupText.namePlaceholder}
        {...form.field('name')}
      />
      <EmailField label={signupText.email} {...form.field('email')} />
      <NewPasswordFields
        field={form.field}
        labels={[signupText.password, signupText.confirmPassword]}
        placeholder={signupText.passwordPlaceholder}
        canShow
      />
    </PageForm>
  );
}
