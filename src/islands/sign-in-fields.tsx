import { type ReactNode, type Ref, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { LOGIN } from '#blog/routes/paths.ts';
import { Field } from '#components/controls/Field.tsx';
import type { FieldProps, Fields } from './form.ts';

interface SignInFieldProps extends FieldProps {
  readonly label: string;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly aside?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function EmailField(props: SignInFieldProps) {
  return <Field type="email" inputMode="email" autoComplete="username" placeholder="you@example.com" {...props} />;
}

export function PasswordField({ canShow = false, ...props }: SignInFieldProps & { readonly canShow?: boolean }) {
  const [isShown, setShown] = useState(false);
  const aside = canShow && <ShowPassword isShown={isShown} onToggle={() => setShown(!isShown)} what={props.label} />;
  return <Field {...passwordInput(isShown, 'current-password')} aside={aside} {...props} />;
}

interface NewPasswordFieldsProps {
  readonly field: Fields<{ password: string; confirmPassword: string }, unknown>['field'];
  readonly labels: readonly [password: string, confirmation: string];
  readonly placeholder?: string;
  readonly canShow?: boolean;
}

export function NewPasswordFields({ field, labels, placeholder, canShow = false }: NewPasswordFieldsProps) {
  const [isShown, setShown] = useState(false);
  const input = passwordInput(isShown, 'new-password');
  return (
    <>
      <Field
        label={labels[0]}
        placeholder={placeholder}
        help={signupText.passwordHelp}
        aside={
          canShow && <ShowPassword isShown={isShown} onToggle={() => setShown(!isShown)} what={signupText.passwords} />
        }
        {...input}
        {...field('password')}
      />
      <Field label={labels[1]} {...input} {...field('confirmPassword')} />
    </>
  );
}

const passwordInput = (isShown: boolean, autoComplete: string) => ({
  type: isShown ? 'text' : 'password',
  autoComplete,
  spellCheck: false,
});

interface ShowPasswordProps {
  readonly isShown: boolean;
  readonly onToggle: () => void;
  /** Read by screen readers after the button's label, to distinguish the buttons of several fields. */
  readonly what: string;
}

function ShowPassword({ isShown, onToggle, what }: ShowPasswordProps) {
  return (
    <TextButton onClick={onToggle}>
      {isShown ? signupText.hide : signupText.show}
      <span className="sr-only"> {what}</span>
    </TextButton>
  );
}

interface TextButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that looks like a link, to be placed on the same line as a field's label. */
export function TextButton({ onClick, children, ref }: TextButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      onClick={onClick}
      className="relative text-sm font-medium text-accent after:absolute after:-inset-3"
    >
      {children}
    </button>
  );
}

/** Runs `work`, which opens a new session. If this needs a second-factor code, opens the login page to ask for it. */
export const orLogin = (work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) => {
    if (faultOf(error).type !== 'user_more_factors_required') throw error;
    location.assign(LOGIN);
    return new Promise(() => {});
  });
