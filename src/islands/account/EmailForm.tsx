import { emailSchema } from '#blog/forms/account-forms.ts';
import { accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { Field } from '#components/controls/Field.tsx';
import { changeEmail } from '#stores/account/account.ts';
import { ChangeForm } from './ChangeForm.tsx';
import { Section } from './Section.tsx';
import { useChange } from './use-change.ts';
import { VerifyAddress } from './VerifyAddress.tsx';

const EMPTY = { email: '', password: '' };

export function EmailForm({ user }: { user: User }) {
  const change = useChange({
    schema: emailSchema,
    initial: EMPTY,
    send: changeEmail,
    done: ({ email }) => accountText.emailSaved({ email }),
    after: EMPTY,
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
      <ChangeForm change={change} submit={accountText.saveEmail}>
        <Field
          label={accountText.newEmail}
          type="email"
          inputMode="email"
          autoComplete="email"
          {...change.field('email')}
        />
        <Field
          label={accountText.currentPassword}
          type="password"
          autoComplete="current-password"
          {...change.field('password')}
        />
      </ChangeForm>
    </Section>
  );
}
