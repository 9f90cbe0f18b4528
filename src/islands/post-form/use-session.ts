/** Whether the writer of the text is still the one who is signed in, and how he becomes it again without leaving the form. */

import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import { faultOf } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { $auth, isSignedIn } from '#stores/auth.ts';

export interface Session {
  /** False as soon as it is known that somebody else is signed in, or nobody. */
  readonly isOurs: boolean;
  /** The dialog's; undefined while there is nothing to ask. */
  readonly question: ((signedIn: boolean) => void) | undefined;
  /** Asks to sign in again. True when that was done. */
  readonly ask: () => Promise<boolean>;
  /** True when `error` comes from a session that has ended: `isOurs` is false from then on. */
  readonly hasEnded: (error: unknown) => Promise<boolean>;
}

/** To a guest the backend says of one thing that it is not allowed, of another that it is not there. */
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
