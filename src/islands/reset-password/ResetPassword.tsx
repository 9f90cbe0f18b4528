import { useEffect, useState } from 'react';
import { resetSchema } from '#blog/forms/account-forms.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { shellText } from '#blog/messages.ts';
import { FORGOT_PASSWORD, LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { ButtonLink } from '#components/controls/Button.tsx';
import { FormPage } from '#components/controls/FormPage.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { type MailedLink, mailedLink, resetPassword } from '#stores/account/recovery.ts';
import { NewPasswordFields } from '../sign-in-fields.tsx';
import { PageForm, useForm } from '../use-form.tsx';

export default function ResetPassword() {
  /** Undefined until the page's URL is read; null if the URL lacks parts of the emailed link. */
  const [link, setLink] = useState<MailedLink | null>();
  useEffect(() => {
    setLink(mailedLink(location.search) ?? null);
    // Removes the link's secret from the history.
    history.replaceState(null, '', location.pathname);
  }, []);
  return (
    <FormPage title={recoveryText.resetTitle}>
      {link === undefined && <Spinner label={shellText.loading} />}
      {link === null && <Refused message={recoveryText.wrongLink} />}
      {link && <ResetForm link={link} />}
    </FormPage>
  );
}

function Refused({ message }: { message: string }) {
  return (
    <>
      <Banner message={message} className="mb-6" />
      <ButtonLink href={FORGOT_PASSWORD} tone="quiet">
        {recoveryText.anotherLink}
      </ButtonLink>
    </>
  );
}

function ResetForm({ link }: { link: MailedLink }) {
  const form = useForm({
    schema: resetSchema,
    initial: { password: '', confirmPassword: '' },
    submit: async ({ password }) => {
      await resetPassword(link, password);
      return { success: recoveryText.saved };
    },
    message: recoveryMessage,
  });
  if (form.success) {
    return (
      <>
        <p role="status" className="mb-6 text-base">
          {form.success}
        </p>
        <p className="mb-6 text-base text-soft">{recoveryText.firstProof}</p>
        <ButtonLink href={LOGIN}>{recoveryText.signIn}</ButtonLink>
      </>
    );
  }
  if (form.failure === recoveryText.wrongLink) return <Refused message={form.failure} />;
  return (
    <PageForm form={form} labels={[recoveryText.save, recoveryText.saving]}>
      <NewPasswordFields field={form.field} labels={[recoveryText.newPassword, recoveryText.confirmPassword]} />
    </PageForm>
  );
}
