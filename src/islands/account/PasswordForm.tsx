import { passwordSchema } from '#blog/forms/account-forms.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { changePassword } from '#stores/account/account.ts';
import { NewPasswordFields, PasswordField } from '../sign-in-fields.tsx';
import { useForm } from '../use-form.tsx';
import { Section, SectionForm } from './Section.tsx';

const EMPTY = { oldPassword: '', password: '', confirmPassword: '' };

export function PasswordForm({ user, onChanged }: { user: User; onChanged: () => void }) {
  const form = useForm({
    schema: passwordSchema,
    initial: EMPTY,
    submit: async (input, fields) => {
      await changePassword(input);
      onChanged();
      fields.set(EMPTY);
      return { success: accountText.passwordSaved };
    },
    message: accountMessage,
  });
  return (
    <Section title={accountText.password} help={accountText.passwordHelp}>
      <SectionForm form={form} submit={accountText.savePassword}>
        {/* Tells password managers whose password this is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField label={accountText.currentPassword} {...form.field('oldPassword')} />
        <NewPasswordFields field={form.field} labels={[accountText.newPassword, accountText.confirmPassword]} />
      </SectionForm>
    </Section>
  );
}
