import { passwordSchema } from '#blog/forms/account-forms.ts';
import { accountText } from '#blog/messages/account.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import type { User } from '#blog/user.ts';
import { Field } from '#components/controls/Field.tsx';
import { changePassword } from '#stores/account/account.ts';
import { ChangeForm } from './ChangeForm.tsx';
import { Section } from './Section.tsx';
import { useChange } from './use-change.ts';

const EMPTY = { oldPassword: '', password: '', confirmPassword: '' };

export function PasswordForm({ user, onChanged }: { user: User; onChanged: () => void }) {
  const change = useChange({
    schema: passwordSchema,
    initial: EMPTY,
    together: ['password', 'confirmPassword'],
    send: (input) => changePassword(input).then(onChanged),
    done: () => accountText.passwordSaved,
    after: EMPTY,
  });
  const fresh = { type: 'password', autoComplete: 'new-password', spellCheck: false };
  return (
    <Section title={accountText.password} help={accountText.passwordHelp}>
      <ChangeForm change={change} submit={accountText.savePassword}>
        {/* Password managers learn from it whose password this is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <Field
          label={accountText.currentPassword}
          type="password"
          autoComplete="current-password"
          {...change.field('oldPassword')}
        />
        <Field
          label={accountText.newPassword}
          help={signupText.passwordHelp}
          {...fresh}
          {...change.field('password')}
        />
        <Field label={accountText.confirmPassword} {...fresh} {...change.field('confirmPassword')} />
      </ChangeForm>
    </Section>
  );
}
