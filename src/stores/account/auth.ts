/** The signed-in user, shared by all islands of a page and kept in step between tabs. */

import { atom } from 'nanostores';
import * as backend from '#backend/browser.ts';
import { faultOf, isSignedOut } from '#blog/errors.ts';
import type { LoginForm, SignupForm } from '#blog/forms/sign-in-forms.ts';
import { listText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';

export interface AuthState {
  /** True when somebody is signed in. */
  readonly status: boolean;
  readonly user: User | null;
  /** False until the backend was asked once. */
  readonly checked: boolean;
}

/** The sign, next to the session and never a secret, by which a public page knows that it is worth asking who this is. */
export const SESSION_SIGN = 'common-ink:session';

export const $auth = atom<AuthState>({ status: false, user: null, checked: false });

let asked: Promise<AuthState> | undefined;

/** Asks the backend who this is, once for all islands of the page. Never fails: on error the visitor is a guest (spec 4). */
export function checkUser(): Promise<AuthState> {
  asked ??= ask();
  return asked;
}

/** Signs in. Throws what the backend threw; `loginMessage` has the words for it. */
export async function logIn(form: LoginForm): Promise<void> {
  signedIn(await backend.logIn(form));
}

/** Signs in the user of a text that is being written, whose session has ended. Throws what the backend threw. */
export async function logInAgain(form: LoginForm, userId: string): Promise<void> {
  try {
    signedIn(await backend.logInAgain(form, userId));
  } catch (error) {
    // It may have been another account: then that one is signed in now.
    asked = ask();
    throw error;
  }
}

/** Asks the backend anew whether this user is signed in. */
export async function isSignedIn(userId: string): Promise<boolean> {
  return (await checkAgain()).user?.id === userId;
}

/** Asks the backend anew who this is: something was refused for want of a session. */
export function checkAgain(): Promise<AuthState> {
  asked = ask();
  return asked;
}

/** Creates the account and signs in at once. Throws what the backend threw; `signupMessage` has the words for it. */
export async function signUp(form: SignupForm): Promise<void> {
  signedIn(await backend.signUp(form));
}

/** Ends all sessions and clears the user. Throws when the backend could not; the user then stays. */
export async function logOut(): Promise<void> {
  await backend.logOut().catch((error: unknown) => {
    // Another device, or an owner, has ended them before.
    if (!isSignedOut(error)) throw error;
  });
  signedOut();
}

/** Recognised by its code, as errors of the backend are. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
  readonly code = 401;
}

/**
 * Called when something of this user's own is reported missing: a guest gets the same answer for what is not published.
 * @throws SessionEnded when he is not signed in, and what the backend threw when that cannot be found out.
 */
export async function requireSession(userId: string): Promise<void> {
  const user = await backend.sessionUser().catch((error: unknown) => {
    if (faultOf(error).code !== 401) throw error;
  });
  if (user?.id === userId) return;
  if (user) signedIn(user);
  else signedOut();
  throw new SessionEnded(listText.signedOut);
}

export function signedIn(user: User): void {
  leaveSign(true);
  $auth.set({ status: true, user, checked: true });
  // A header that is a guest's is taken over (layouts/shell.ts): not every page is left after signing in.
  dispatchEvent(new Event('common-ink:signed-in'));
}

export function signedOut(): void {
  leaveSign(false);
  $auth.set({ status: false, user: null, checked: true });
}

/** Follows what other tabs do: their sign-in or sign-out asks the backend again here. Gives the way to stop. */
export function followOtherTabs(): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key !== SESSION_SIGN && event.key !== null) return;
    asked = ask();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

async function ask(): Promise<AuthState> {
  const user = await backend.currentUser().catch(() => null);
  if (user) signedIn(user);
  else signedOut();
  return $auth.get();
}

function leaveSign(present: boolean): void {
  try {
    const sign = present ? '1' : null;
    // Written only on a change: each write wakes the other tabs.
    if (localStorage.getItem(SESSION_SIGN) === sign) return;
    if (sign) localStorage.setItem(SESSION_SIGN, sign);
    else localStorage.removeItem(SESSION_SIGN);
  } catch {
    // Storage is switched off: the session works, public pages just show a guest's header.
  }
}
