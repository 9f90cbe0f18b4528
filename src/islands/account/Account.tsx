/** /account: the signed-in user's name, address, password and sessions. */

import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { nameSchema } from '#blog/forms/account-forms.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { Field } from '#components/controls/Field.tsx';
import { changeName } from '#stores/account/account.ts';
import { $auth } from '#stores/account/auth.ts';
import { Guard } from '../guard/Guard.tsx';
import { useForm } from '../use-form.tsx';
import { Archive } from './Archive.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { EmailForm } from './EmailForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Section, SectionForm } from './Section.tsx';
import { Sessions } from './Sessions.tsx';
import { SiteLink } from './SiteLink.tsx';

export default function Account() {
  return (
    <Guard access="signed-in">
      <SignedInAccount />
    </Guard>
  );
}

function SignedInAccount() {
  const { user } = useStore($auth);
  // The forms stay open when another tab signs out; submitting then shows an error.
  const [owner] = useState(user);
  return owner && <AccountForms user={user?.id === owner.id ? user : owner} />;
}

function AccountForms({ user }: { user: User }) {
  // Changing the password ends other sessions, so the list is reloaded.
  const [passwords, setPasswords] = useState(0);
  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="text-3xl">{accountText.title}</h1>
      <SiteLink />
      <NameForm user={user} />
      <EmailForm user={user} />
      <PasswordForm user={user} onChanged={() => setPasswords(passwords + 1)} />
      <SecondFactor />
      <Sessions key={passwords} />
      <Archive user={user} />
      <DeleteAccount user={user} />
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
      <SectionForm form={form} submit={accountText.saveName}>
        <Field label={accountText.name} autoComplete="name" {...form.field('name')} />
      </SectionForm>
    </Section>
  );
}
