import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { passkeyText } from '#blog/messages/passkeys.ts';
import { ACCOUNT } from '#blog/routes/paths.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { refusePasskeyOffers } from '#stores/account/passkey-offer.ts';
import { $passkeys, canUsePasskeys, loadPasskeys } from '#stores/account/passkeys.ts';

/** Offers to add a passkey, at the bottom of the window, if the user has none and can create one on this page. */
export function PasskeyOffer() {
  const own = useStore($passkeys);
  const [isOpen, setOpen] = useState(canUsePasskeys);
  useEffect(() => void (isOpen && loadPasskeys().catch(() => undefined)), [isOpen]);
  if (!isOpen || own?.passkeys.length !== 0) return null;
  const refuse = () => {
    refusePasskeyOffers();
    setOpen(false);
  };
  return createPortal(
    <aside
      aria-label={passkeyText.offerTitle}
      className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-form rounded-md border border-edge bg-paper p-5"
    >
      <p className="text-lg font-medium">{passkeyText.offerTitle}</p>
      <p className="mt-1 mb-4 text-base text-soft">{passkeyText.offer}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={`${ACCOUNT}#passkeys`}>{passkeyText.add}</ButtonLink>
        <Button tone="quiet" onClick={() => setOpen(false)}>
          {passkeyText.notNow}
        </Button>
        <Button tone="quiet" onClick={refuse}>
          {passkeyText.dontAsk}
        </Button>
      </div>
    </aside>,
    document.body,
  );
}
