/** Accepts an emailed link only from the account that requested it, because anyone can sign up with any address. */

import { useEffect, useState } from 'react';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { ACCOUNT, LOGIN } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { checkUser } from '#stores/account/auth.ts';
import { type MailedLink, mailedLink, verifyAddress } from '#stores/account/recovery.ts';

export default function VerifyEmail() {
  const [failure, setFailure] = useState('');
  const [isDone, setDone] = useState(false);
  const [isTheirs, setTheirs] = useState(true);
  useEffect(() => {
    async function verify(link: MailedLink): Promise<void> {
      const { user } = await checkUser();
      if (user?.id === link.userId) return verifyAddress(link).then(() => setDone(true));
      setTheirs(false);
      setFailure(recoveryText.verifySignedIn);
    }
    const link = mailedLink(location.search);
    history.replaceState(null, '', location.pathname);
    if (link)
      verify(link).catch((error: unknown) => setFailure(recoveryMessage(error, recoveryText.wrongVerification)));
    else setFailure(recoveryText.wrongVerification);
  }, []);
  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-6 text-3xl">{recoveryText.verifyTitle}</h1>
      <Banner message={failure} className="mb-6 empty:hidden" />
      {!isDone && !failure && <Spinner label={recoveryText.verifying} />}
      <p role="status" className="mb-6 text-base">
        {isDone && recoveryText.verified}
      </p>
      {(isDone || failure) && (
        <ButtonLink href={isTheirs ? ACCOUNT : LOGIN}>
          {isTheirs ? recoveryText.toAccount : recoveryText.signIn}
        </ButtonLink>
      )}
    </div>
  );
}
