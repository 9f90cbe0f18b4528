import { useEffect, useRef, useState } from 'react';
import { passkeyFault, passkeyText } from '#blog/messages/passkeys.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { canUsePasskeys, completeLoginWithPasskey } from '#stores/account/passkeys.ts';
import { type CodeKind, completeLogin, giveUpLogin } from '#stores/account/second-factor.ts';
import { useSubmit } from '../form.ts';

interface SecondFactorFormProps {
  /** Called after login, for parent components that do not watch the auth store. */
  readonly onSignedIn?: (user: User) => void;
  readonly onGiveUp: () => void;
}

export function SecondFactorForm({ onSignedIn, onGiveUp }: SecondFactorFormProps) {
  const [kind, setKind] = useState<CodeKind>('totp');
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isApp = kind === 'totp';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind of code has its own field to focus.
  useEffect(() => input.current?.focus(), [kind]);

  const complete = async (work: () => Promise<User>) => {
    setFailure('');
    setBusy(true);
    try {
      // On success, the button stays busy until the form disappears.
      const user = await work();
      onSignedIn?.(user);
    } catch (error) {
      const [wrong, tooMany] = isApp
        ? [recoveryText.wrongCode, recoveryText.tooManyCodes]
        : [recoveryText.wrongRecoveryCode, undefined];
      setFailure(passkeyFault(error) ?? recoveryMessage(error, wrong, tooMany));
      setBusy(false);
      input.current?.select();
    }
  };
  const { busy, setBusy, onSubmit } = useSubmit(async () => {
    if (code.trim()) return complete(() => completeLogin(code, kind));
    setFailure(recoveryText.codeRequired);
    input.current?.focus();
  });
  const other = () => {
    setKind(isApp ? 'recoveryCode' : 'totp');
    setCode('');
    setFailure('');
  };

  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <h2 className="text-xl">{recoveryText.codeTitle}</h2>
      <p className="text-base text-soft">{isApp ? recoveryText.codeQuestion : recoveryText.recoveryQuestion}</p>
      <Banner message={failure} className="empty:hidden" />
      <Field
        key={kind}
        ref={input}
        label={isApp ? recoveryText.code : recoveryText.recoveryCode}
        inputMode={isApp ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" busy={busy} className="w-full">
        {recoveryText.goOn}
      </Button>
      <div className="flex flex-wrap gap-3">
        {canUsePasskeys() && (
          <Button tone="quiet" busy={busy} onClick={() => void complete(completeLoginWithPasskey)}>
            {passkeyText.useOne}
          </Button>
        )}
        <Button tone="quiet" onClick={other}>
          {isApp ? recoveryText.useRecovery : recoveryText.useApp}
        </Button>
        <Button tone="quiet" onClick={() => void giveUpLogin().then(onGiveUp, onGiveUp)}>
          {recoveryText.cancel}
        </Button>
      </div>
      <p className="text-sm text-soft">{recoveryText.lostBoth}</p>
    </form>
  );
}
