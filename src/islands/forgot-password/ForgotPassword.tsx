/** /forgot-password: asks for a mail with a link to a new password. */

import { useState } from 'react';
import { forgotSchema } from '#blog/forms/account-forms.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { askForRecovery } from '#stores/account/recovery.ts';
import { useFields, useSubmit } from '../form.ts';
import { Guard } from '../guard/Guard.tsx';

export default function ForgotPassword() {
  return (
    <Guard access="signed-out">
      <ForgotForm />
    </Guard>
  );
}

function ForgotForm() {
  const { field, check } = useFields(forgotSchema, { email: '' });
  const [failure, setFailure] = useState('');
  const [said, setSaid] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    setSaid('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      if (await askForRecovery(input.email)) setSaid(recoveryText.sent({ email: input.email }));
      else setFailure(recoveryText.noMail);
    } catch (error) {
      setFailure(recoveryMessage(error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <FormPage
      title={recoveryText.forgotTitle}
      other={{ question: recoveryText.remembered, href: LOGIN, link: recoveryText.signIn }}
    >
      <p className="mb-6 text-base text-soft">{recoveryText.forgotHelp}</p>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field
          label={recoveryText.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          placeholder="you@example.com"
          {...field('email')}
        />
        <Button type="submit" busy={busy} className="w-full">
          {busy ? recoveryText.sending : recoveryText.sendLink}
        </Button>
        <p role="status" className="text-base wrap-anywhere">
          {said}
        </p>
      </form>
    </FormPage>
  );
}
