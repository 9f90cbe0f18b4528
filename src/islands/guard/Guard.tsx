/** Checks who may see an island page (spec 2, "Access guard"). */

import { useStore } from '@nanostores/react';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { shellText } from '#blog/messages.ts';
import { HOME, LOGIN } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { $auth, checkUser, followUser } from '#stores/account/auth.ts';
import { rememberWanted, takeWanted } from '#stores/wanted-page.ts';
import { Queue } from '../queue/Queue.tsx';

/** Minimum time for which the spinner is shown before the page (spec 9). */
const DELAY_MS = 100;

// Starts the session check before the page is mounted.
if (typeof document !== 'undefined') void checkUser();

export function Guard({ access, children }: { access: 'signed-in' | 'signed-out'; children: ReactNode }) {
  const { checked, status } = useStore($auth, { ssr: 'initial' });
  const [isOpen, setOpen] = useState(false);
  // Renders the spinner before the page, because rendering the page may be slow.
  const isSpinning = useDeferredValue(checked);
  const mayEnter = checked && status === (access === 'signed-in');

  useEffect(followUser, []);

  useEffect(() => {
    if (!checked) return;
    // Once open, a page for signed-in users stays open when another tab signs out.
    if (isOpen && (mayEnter || access === 'signed-in')) return;
    const timer = setTimeout(() => {
      if (mayEnter) setOpen(true);
      else if (access === 'signed-out') location.replace(takeWanted(HOME));
      else {
        rememberWanted();
        location.replace(LOGIN);
      }
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [access, checked, mayEnter, isOpen]);

  const spinner = checked ? <Spinner label={shellText.checkingAccess} className="min-h-[60vh]" /> : <LoadingScreen />;
  return (
    <>
      {!isOpen && spinner}
      {(isOpen || (isSpinning && mayEnter)) && (
        <div hidden={!isOpen} className="contents">
          {children}
        </div>
      )}
    </>
  );
}

/** A page for signed-in users. It stays open when another tab signs out; its actions then show an error. */
export function SignedIn({ children }: { children: (user: User) => ReactNode }) {
  return (
    <Guard access="signed-in">
      <Entered>{children}</Entered>
    </Guard>
  );
}

function Entered({ children }: { children: (user: User) => ReactNode }) {
  const [user] = useState(() => $auth.get().user);
  return (
    user && (
      <>
        {children(user)}
        <Queue userId={user.id} />
      </>
    )
  );
}

function LoadingScreen() {
  return (
    <div className="grid min-h-[60vh] place-content-center px-4 text-center">
      <Spinner label={shellText.loading} className="py-3" />
      <p className="font-serif text-lg text-soft">{shellText.preparing}</p>
    </div>
  );
}
