import { emailSchema } from '#blog/forms/account-forms.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { changeEmail } from '#stores/account/account.ts';
import { EmailField, PasswordField } from '../sign-in-fields.tsx';
import { useForm } from '../use-form.tsx';
import { Section, SectionForm } from './Section.tsx';
import { VerifyAddress } from './VerifyAddress.tsx';

const EMPTY = { email: '', password: '' };

export function EmailForm({ user }: { user: User }) {
  const form = useForm({
    schema: emailSchema,
    initial: EMPTY,
    submit: async (input, fields) => {
      await changeEmail(input);
      fields.set(EMPTY);
      return { success: accountText.emailSaved({ email: input.email }) };
    },
    message: accountMessage,
  });
  return (
    <Section
      title={accountText.email}
      help={
        <>
          <strong className="font-medium text-ink">{user.email}</strong>. {accountText.emailHelp}
        </>
      }
    >
      <VerifyAddress email={user.email} />
      <SectionForm form={form} submit={accountText.saveEmail}>
        <EmailField label={accountText.newEmail} autoComplete="email" placeholder="" {...form.field('email')} />
        <PasswordField label={accountText.currentPassword} {...form.field('password')} />
      </SectionForm>
    </Section>
  );
}
