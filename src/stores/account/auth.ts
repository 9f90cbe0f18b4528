/**
 * The signed-in user, shared by all islands of a page and kept in sync between tabs. Functions throw what the backend
 * threw.
 */

import { atom } from 'nanostores';
import * as backend from '#backend/browser.ts';
import { faultOf, isSignedOut } from '#blog/errors.ts';
import type { LoginForm, SignupForm } from '#blog/forms/sign-in-forms.ts';
import { listText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';

export interface AuthState {
  readonly status: boolean;
  readonly user: User | null;
  /** False until the backend has answered once. */
  readonly checked: boolean;
}

/** Key of a flag beside the session: a public page asks for the user only where it is set. */
export const SESSION_SIGN = 'common-ink:session';

export const $auth = atom<AuthState>({ status: false, user: null, checked: false });

let asked: Promise<AuthState> | undefined;

/**
 * Asks the backend for the user, once for all islands of the page. Never fails: on error the visitor is a guest (spec
 * 4).
 */
export function checkUser(): Promise<AuthState> {
  asked ??= ask();
  return asked;
}

export async function logIn(form: LoginForm): Promise<void> {
  signedIn(await backend.logIn(form));
}

/** Signs in the user of an open form whose session has ended. */
export async function logInAgain(form: LoginForm, userId: string): Promise<void> {
  try {
    signedIn(await backend.logInAgain(form, userId));
  } catch (error) {
    // It may have been another account, which is signed in now.
    asked = ask();
    throw error;
  }
}

export async function isSignedIn(userId: string): Promise<boolean> {
  return (await checkAgain()).user?.id === userId;
}

/** Asks the backend again after a request was refused. */
export function checkAgain(): Promise<AuthState> {
  asked = ask();
  return asked;
}

export async function signUp(form: SignupForm): Promise<void> {
  signedIn(await backend.signUp(form));
}

/** Ends all sessions. If the backend could not, it throws and the user stays. */
export async function logOut(): Promise<void> {
  await backend.logOut().catch((error: unknown) => {
    // Another device or an owner has already ended them.
    if (!isSignedOut(error)) throw error;
  });
  signedOut();
}

/** Recognised by its code, like errors of the backend. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
  readonly code = 401;
}

/**
 * Called when the backend reports something of this user's own as missing, which is also its answer to a guest.
 * @throws SessionEnded if the user is not signed in, and what the backend threw if that is unknown.
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
  // Replaces the guest's header (layouts/shell.ts): not every page is left after signing in.
  dispatchEvent(new Event('common-ink:signed-in'));
}

export function signedOut(): void {
  leaveSign(false);
  $auth.set({ status: false, user: null, checked: true });
}

/** Asks the backend again when another tab signs in or out. Returns a function that stops it. */
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
    // Written only on a change, because each write wakes the other tabs.
    if (localStorage.getItem(SESSION_SIGN) === sign) return;
    if (sign) localStorage.setItem(SESSION_SIGN, sign);
    else localStorage.removeItem(SESSION_SIGN);
  } catch {
    // Storage is disabled: the session works, public pages just show a guest's header.
  }
}
