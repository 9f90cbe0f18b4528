import { useStore } from '@nanostores/react';
import { type ComponentProps, useRef, useState } from 'react';
import { accountText } from '#blog/messages/account.ts';
import { passkeyText } from '#blog/messages/passkeys.ts';
import type { Proof } from '#blog/passkeys.ts';
import { $passkeys, askForPasskey, hasWorkingPasskey } from '#stores/account/passkeys.ts';
import { PasswordField, TextButton } from '../sign-in-fields.tsx';

/** Lets users prove their identity with their password or, if they have one, a passkey. */
export function useProof() {
  const own = useStore($passkeys);
  const [isChosen, setChosen] = useState(false);
  const isPasskey = hasWorkingPasskey(own) && (isChosen || !own?.hasPassword);

  // Moves the focus to the new button, because the pressed button disappears.
  const hasChosen = useRef(false);
  const choose = () => {
    hasChosen.current = true;
    setChosen(!isChosen);
  };
  const keepFocus = (button: HTMLButtonElement | null) => {
    if (button && hasChosen.current) button.focus();
    if (button) hasChosen.current = false;
  };

  const field = (props: Omit<ComponentProps<typeof PasswordField>, 'label'>) => {
    if (!hasWorkingPasskey(own)) return <PasswordField label={accountText.currentPassword} {...props} />;
    const swap = own?.hasPassword && (
      <TextButton ref={keepFocus} onClick={choose}>
        {isPasskey ? passkeyText.usePassword : passkeyText.useOne}
      </TextButton>
    );
    if (!isPasskey) return <PasswordField label={accountText.currentPassword} aside={swap} {...props} />;
    return (
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <p className="text-base text-soft">{passkeyText.isProof}</p>
        {swap}
      </div>
    );
  };
  const prove = async (password = ''): Promise<Proof> =>
    isPasskey ? { response: await askForPasskey() } : { password };
  return { isPasskey, field, prove };
}
