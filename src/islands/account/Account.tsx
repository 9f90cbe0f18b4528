import { useStore } from '@nanostores/react';
import { useState } from 'react';
import {
  type EmailForm as EmailInput,
  emailSchema,
  forgotSchema,
  nameSchema,
  passwordSchema,
} from '#blog/forms/account-forms.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import { passkeyFault } from '#blog/messages/passkeys.ts';
import { peopleText } from '#blog/messages/people.ts';
import { isModerator } from '#blog/people.ts';
import { MANAGE } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Field } from '#components/controls/Field.tsx';
import { changeEmail, changeName, changePassword } from '#stores/account/account.ts';
import { $auth } from '#stores/account/auth.ts';
import { $passkeys, changeEmailWithPasskey, hasWorkingPasskey } from '#stores/account/passkeys.ts';
import { siteState } from '#stores/people.ts';
import { SignedIn } from '../guard/Guard.tsx';
import { Passkeys } from '../passkeys/Passkeys.tsx';
import { FirstPassword, RemovePassword } from '../passkeys/Passwordless.tsx';
import { useProof } from '../passkeys/use-proof.tsx';
import { EmailField, NewPasswordFields, PasswordField } from '../sign-in-fields.tsx';
import { TextLink } from '../TextLink.tsx';
import { StatusForm, useForm } from '../use-form.tsx';
import { useLoaded } from '../use-loaded.ts';
import { Archive } from './Archive.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Section } from './Section.tsx';
import { Sessions } from './Sessions.tsx';
import { VerifyAddress } from './VerifyAddress.tsx';

export default function Account() {
  return <SignedIn>{(user) => <AccountForms owner={user} />}</SignedIn>;
}

function AccountForms({ owner }: { owner: User }) {
  const { user: present } = useStore($auth);
  const user = present?.id === owner.id ? present : owner;
  // Counts password changes. Each change ends the other sessions, so the list of sessions is reloaded.
  const [passwords, setPasswords] = useState(0);
  const [said, setSaid] = useState('');
  const onChanged = (words = '') => {
    setPasswords(passwords + 1);
    setSaid(words);
  };
  const own = useStore($passkeys);
  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="text-3xl">{accountText.title}</h1>
      <SiteLink />
      <NameForm user={user} />
      <EmailForm user={user} />
      {own?.hasPassword === false && hasWorkingPasskey(own) ? (
        <FirstPassword user={user} onChanged={onChanged} />
      ) : (
        <PasswordForm user={user} onChanged={onChanged} />
      )}
      {/* Rendered outside the two password forms, so that the message stays when one form replaces the other. */}
      <p role="status" className="mt-3 text-base text-soft empty:hidden">
        {said}
      </p>
      <Passkeys />
      <SecondFactor />
      <Sessions key={passwords} />
      <Archive user={user} />
      <DeleteAccount user={user} />
    </div>
  );
}

function SiteLink() {
  const { value: site } = useLoaded(siteState);
  if (!site || !isModerator(site.role)) return null;
  return (
    <div className="mt-4 text-base text-soft">
      <TextLink href={MANAGE} className="font-medium underline-offset-4">
        {peopleText.lookAfter}
      </TextLink>
      <p>{peopleText.lookAfterHelp}</p>
    </div>
  );
}

function NameForm({ user }: { user: User }) {
  const form = useForm({
    schema: nameSchema,
    initial: { name: user.name },
    submit: async (input) => {
      await changeName(input);
      return { success: accountText.nameSaved };
    },
    message: accountMessage,
  });
  return (
    <Section title={accountText.name} help={accountText.nameHelp}>
      <StatusForm form={form} labels={[accountText.saveName, accountText.saving]}>
        <Field label={accountText.name} autoComplete="name" {...form.field('name')} />
      </StatusForm>
    </Section>
  );
}

const NO_EMAIL = { email: '', password: '' };

function EmailForm({ user }: { user: User }) {
  const proof = useProof();
  const form = useForm<EmailInput, Partial<EmailInput> & { email: string }>({
    schema: proof.isPasskey ? forgotSchema : emailSchema,
    initial: NO_EMAIL,
    submit: async ({ email, password }, fields) => {
      await (password === undefined ? changeEmailWithPasskey(email) : changeEmail({ email, password }));
      fields.set(NO_EMAIL);
      return { success: accountText.emailSaved({ email }) };
    },
    message: (error) => passkeyFault(error) ?? accountMessage(error),
  });
  const address = <strong className="font-medium text-ink">{user.email}</strong>;
  return (
    <Section
      title={accountText.email}
      help={
        <>
          {address}. {accountText.emailHelp}
        </>
      }
    >
      <VerifyAddress email={user.email} />
      <StatusForm form={form} labels={[accountText.saveEmail, accountText.saving]}>
        <EmailField label={accountText.newEmail} autoComplete="email" placeholder="" {...form.field('email')} />
        {proof.field(form.field('password'))}
      </StatusForm>
    </Section>
  );
}

const NO_PASSWORDS = { oldPassword: '', password: '', confirmPassword: '' };

function PasswordForm({ user, onChanged }: { user: User; onChanged: (said?: string) => void }) {
  const form = useForm({
    schema: passwordSchema,
    initial: NO_PASSWORDS,
    submit: async (input, fields) => {
      await changePassword(input);
      onChanged();
      fields.set(NO_PASSWORDS);
      return { success: accountText.passwordSaved };
    },
    message: accountMessage,
  });
  return (
    <Section title={accountText.password} help={accountText.passwordHelp}>
      <StatusForm form={form} labels={[accountText.savePassword, accountText.saving]}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField label={accountText.currentPassword} {...form.field('oldPassword')} />
        <NewPasswordFields field={form.field} labels={[accountText.newPassword, accountText.confirmPassword]} />
      </StatusForm>
      <RemovePassword onRemoved={onChanged} />
    </Section>
  );
}
