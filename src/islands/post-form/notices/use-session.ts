/** Watches whether the writer of the form is still signed in, and lets them sign in again without leaving it. */

import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import type { User } from '#blog/user.ts';
import { $auth, isSignedIn } from '#stores/account/auth.ts';

export interface Session {
  /** False once another account, or none, is known to be signed in. */
  readonly isOurs: boolean;
  /** Answers the dialog; undefined while it is closed. */
  readonly question: ((signedIn: boolean) => void) | undefined;
  /** Opens the dialog. Resolves to true after a sign-in. */
  readonly ask: () => Promise<boolean>;
  /** True if `error` comes from an ended session, which also makes `isOurs` false. */
  readonly hasEnded: (error: unknown) => Promise<boolean>;
}

/** Status codes that the backend answers to a guest. */
const REFUSALS: readonly number[] = [401, 403, 404];

export function useSession(user: User): Session {
  const { checked, user: present } = useStore($auth);
  const [question, setQuestion] = useState<(signedIn: boolean) => void>();
  const asked = useRef<Promise<boolean>>(undefined);

  const ask = useCallback(() => {
    asked.current ??= new Promise<boolean>((resolve) => {
      setQuestion(() => (signedIn: boolean) => {
        asked.current = undefined;
        setQuestion(undefined);
        resolve(signedIn);
      });
    });
    return asked.current;
  }, []);

  const hasEnded = useCallback(
    async (error: unknown) => REFUSALS.includes(faultOf(error).code) && !(await isSignedIn(user.id)),
    [user.id],
  );

  return { isOurs: !checked || present?.id === user.id, question, ask, hasEnded };
}
