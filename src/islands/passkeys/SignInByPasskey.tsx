import { useEffect, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { passkeyMessage, passkeyText } from '#blog/messages/passkeys.ts';
import { CHALLENGE_MS } from '#blog/passkeys.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { askForPasskey, canUsePasskeys, signInWithPasskey, suggestPasskeys } from '#stores/account/passkeys.ts';

/** Interval at which passkey suggestions are requested again, shortly before their challenge expires. */
const RENEW_MS = CHALLENGE_MS - 30_000;

interface SignInByPasskeyProps {
  /** True to suggest passkeys in the email field as well. The field's `autocomplete` must then end in `webauthn`. */
  readonly suggests?: boolean;
  /** True while the password form is being submitted. */
  readonly isPaused?: boolean;
  readonly onSignedIn?: (user: User) => void;
  readonly onSecondFactor: () => void;
}

/** A button that signs in with a passkey. Renders nothing if the page cannot use passkeys. */
export function SignInByPasskey({ suggests, isPaused, onSignedIn, onSecondFactor }: SignInByPasskeyProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const isListening = suggests && !isPaused && !busy && canUsePasskeys();

  const enter = async (chosen: ReturnType<typeof askForPasskey>) => {
    setBusy(true);
    setFailure('');
    try {
      // On success, the button stays busy until the form disappears.
      const user = await signInWithPasskey(await chosen);
      onSignedIn?.(user);
    } catch (error) {
      if (faultOf(error).type === 'user_more_factors_required') return onSecondFactor();
      setFailure(passkeyMessage(error));
      setBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `enter` is a new function on each render.
  useEffect(() => {
    if (!isListening) return;
    let request = new AbortController();
    // Ignores errors, because the user has not asked to sign in with a passkey yet.
    const suggest = () =>
      void suggestPasskeys(request.signal).then(
        (answer) => answer && enter(Promise.resolve(answer)),
        () => undefined,
      );
    suggest();
    const timer = setInterval(() => {
      request.abort();
      request = new AbortController();
      suggest();
    }, RENEW_MS);
    return () => {
      clearInterval(timer);
      request.abort();
    };
  }, [isListening]);

  if (!canUsePasskeys()) return null;
  return (
    <>
      <Banner message={failure} className="empty:hidden" />
      <Button tone="quiet" className="w-full" busy={busy} onClick={() => void enter(askForPasskey())}>
        {passkeyText.signIn}
      </Button>
    </>
  );
}
