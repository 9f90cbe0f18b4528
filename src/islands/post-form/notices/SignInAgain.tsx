import { useId, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { loginSchema } from '#blog/forms/sign-in-forms.ts';
import { signInAgainText } from '#blog/messages/sign-in-again.ts';
import { errorText, loginMessage, loginText, sessionText, shellText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { logInAgain } from '#stores/account/auth.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { EmailField, PasswordField } from '../../sign-in-fields.tsx';
import { useForm } from '../../use-form.tsx';

/** Loaded on demand: few accounts have a second factor. */
const SecondFactorForm = lazyPart(() => import('../../login/SecondFactorForm.tsx'), 'SecondFactorForm');
/** Loaded on demand to keep the form's script within its size budget. */
const SignInByPasskey = lazyPart(() => import('../../passkeys/SignInByPasskey.tsx'), 'SignInByPasskey');

/** Contains a form, so it must be rendered outside the post's form. */
export function SignInAgain({ user, question }: { user: User; question: (signedIn: boolean) => void }) {
  const [isHalf, setHalf] = useState(false);
  const [otherAccount, setOtherAccount] = useState('');
  const id = useId();
  const { field, busy, failure, onSubmit } = useForm({
    schema: loginSchema,
    initial: { email: user.email, password: '' },
    submit: async (input) => {
      setOtherAccount('');
      try {
        await logInAgain(input, user.id);
        question(true);
      } catch (error) {
        if (faultOf(error).type !== 'user_more_factors_required') throw error;
        setHalf(true);
      }
      return {};
    },
    message: loginMessage,
  });
  const completed = ({ id: signedIn }: User) => {
    if (signedIn === user.id) return question(true);
    setHalf(false);
    setOtherAccount(errorText.otherAccount);
  };
  return (
    <Dialog
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
      <Banner message={failure || otherAccount} className="mb-5 empty:hidden" />
      {isHalf ? (
        <SecondFactorForm
          fallback={<Spinner label={shellText.loading} />}
          onSignedIn={completed}
          onGiveUp={() => setHalf(false)}
        />
      ) : (
        <form id={id} noValidate onSubmit={onSubmit} className="grid gap-4">
          <EmailField label={loginText.email} placeholder="" {...field('email')} />
          <PasswordField label={loginText.password} ref={focusFirst} {...field('password')} />
          <SignInByPasskey onFault={() => undefined} onSignedIn={completed} onSecondFactor={() => setHalf(true)} />
        </form>
      )}
    </Dialog>
  );
}
