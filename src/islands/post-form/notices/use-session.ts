import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import type { User } from '#blog/user.ts';
import { $auth, isSignedIn } from '#stores/account/auth.ts';

export type Session = ReturnType<typeof useSession>;

/** Status codes that the backend returns to a guest for requests that need a session. */
const REFUSALS: readonly number[] = [401, 403, 404];

export function useSession(user: User) {
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

  /** Resolves to true if `error` was caused by an ended session. The hook's `isOurs` is then false. */
  const hasEnded = useCallback(
    async (error: unknown) => REFUSALS.includes(faultOf(error).code) && !(await isSignedIn(user.id)),
    [user.id],
  );

  const isOurs = !checked || present?.id === user.id;
  return { isOurs, question, ask, hasEnded };
}
