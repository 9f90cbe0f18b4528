/** /verify-email: where the link of a mail leads that proves an address. */

import { useEffect, useState } from 'react';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { ACCOUNT } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { mailedLink, verifyAddress } from '#stores/account/recovery.ts';

export default function VerifyEmail() {
  const [failure, setFailure] = useState('');
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    const link = mailedLink(location.search);
    history.replaceState(null, '', location.pathname);
    if (link)
      verifyAddress(link).then(
        () => setDone(true),
        (error: unknown) => setFailure(recoveryMessage(error, recoveryText.wrongVerification)),
      );
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
      {(isDone || failure) && <ButtonLink href={ACCOUNT}>{recoveryText.toAccount}</ButtonLink>}
    </div>
  );
}
