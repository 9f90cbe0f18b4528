import { forgotSchema } from '#blog/forms/account-forms.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { askForRecovery } from '#stores/account/recovery.ts';
import { Guard } from '../guard/Guard.tsx';
import { EmailField } from '../sign-in-fields.tsx';
import { useForm } from '../use-form.tsx';

export default function ForgotPassword() {
  return (
    <Guard access="signed-out">
      <ForgotForm />
    </Guard>
  );
}

function ForgotForm() {
  const { field, busy, failure, success, onSubmit } = useForm({
    schema: forgotSchema,
    initial: { email: '' },
    submit: async ({ email }) =>
      (await askForRecovery(email)) ? { success: recoveryText.sent({ email }) } : { failure: recoveryText.noMail },
    message: recoveryMessage,
  });
  return (
    <FormPage
      title={recoveryText.forgotTitle}
      other={{ question: recoveryText.remembered, href: LOGIN, link: recoveryText.signIn }}
    >
      <p className="mb-6 text-base text-soft">{recoveryText.forgotHelp}</p>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <EmailField label={recoveryText.email} {...field('email')} />
        <Button type="submit" busy={busy} className="w-full">
          {busy ? recoveryText.sending : recoveryText.sendLink}
        </Button>
        <p role="status" className="text-base wrap-anywhere">
          {success}
        </p>
      </form>
    </FormPage>
  );
}
