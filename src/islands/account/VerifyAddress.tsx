import { useEffect, useState } from 'react';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { Button } from '#components/controls/Button.tsx';
import { isAddressVerified, isMailSent, sendVerification } from '#stores/account/recovery.ts';
import { useWork } from '../use-work.ts';

export function VerifyAddress({ email }: { email: string }) {
  const [isVerified, setVerified] = useState<boolean>();
  const [isMailed, setMailed] = useState<boolean>();
  const { busy, said, failure, run, clear } = useWork(recoveryMessage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again when the address changes.
  useEffect(() => {
    clear();
    isAddressVerified().then(setVerified, () => undefined);
    isMailSent().then(setMailed, () => setMailed(true));
  }, [email]);
  if (isVerified === undefined) return null;
  if (isVerified) return <p className="mb-5 text-base text-soft">{recoveryText.isVerified}</p>;
  if (isMailed === undefined) return null;
  if (!isMailed) return <p className="mb-5 text-base text-soft">{recoveryText.verifyNoMail}</p>;
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-base text-soft">{recoveryText.isNotVerified}</p>
      <Button
        tone="quiet"
        busy={busy !== ''}
        onClick={() => void run('verify', sendVerification, recoveryText.verifySent({ email }))}
      >
        {recoveryText.verify}
      </Button>
      <p role="status" className="w-full text-base text-soft wrap-anywhere empty:hidden">
        {said || failure}
      </p>
    </div>
  );
}
