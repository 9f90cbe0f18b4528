/** The signed-in user, shared by all islands and synchronised between tabs. Functions rethrow backend errors. */

import { atom } from 'nanostores';
import * as backend from '#backend/browser.ts';
import { faultOf, isSignedOut } from '#blog/errors.ts';
import type { LoginForm, SignupForm } from '#blog/forms/sign-in-forms.ts';
import { listText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { store, stored } from '../web-storage.ts';
import { wantPasskeyOffer } from './passkey-offer.ts';

interface AuthState {
  readonly status: boolean;
  readonly user: User | null;
  /** False until the backend has responded. */
  readonly checked: boolean;
}

/** Storage key of the signed-in flag. Unless it is set, public pages do not request the user. */
const SESSION_SIGN = 'common-ink:session';

export const $auth = atom<AuthState>({ status: false, user: null, checked: false });

let asked: Promise<AuthState> | undefined;

/** Requests the user once for all islands of the page. Never rejects; after an error the user is a guest (spec 4). */
export const checkUser = (): Promise<AuthState> => asked ?? checkAgain();

export function checkAgain(): Promise<AuthState> {
  asked = ask();
  return asked;
}

async function ask(): Promise<AuthState> {
  const user = await backend.currentUser().catch(() => null);
  if (user) signedIn(user);
  else becomeGuest();
  return $auth.get();
}

export async function logIn(form: LoginForm): Promise<void> {
  wantPasskeyOffer();
  signedIn(await backend.logIn(form));
}

export const signUp = async (form: SignupForm): Promise<void> => signedIn(await backend.signUp(form));

/** Signs the user `userId` in again after their session has ended, without leaving the open form. */
export async function logInAgain(form: LoginForm, userId: string): Promise<void> {
  try {
    signedIn(await backend.logInAgain(form, userId));
  } catch (error) {
    // The login may have succeeded, but for another account.
    void checkAgain();
    throw error;
  }
}

export async function isSignedIn(userId: string): Promise<boolean> {
  return (await checkAgain()).user?.id === userId;
}

/** Ends all sessions. If the backend fails, throws and leaves the user signed in. */
export async function logOut(): Promise<void> {
  await backend.logOut().catch((error: unknown) => {
    // A 401 means that the session has already ended elsewhere.
    if (!isSignedOut(error)) throw error;
  });
  await signedOut();
}

/** Throws a 401 error unless this user is signed in, because the backend gives guests empty results, not errors. */
export async function requireSession(userId: string): Promise<void> {
  const user = await backend.sessionUser().catch((error: unknown) => {
    if (faultOf(error).code !== 401) throw error;
  });
  if (user?.id === userId) return;
  if (user) signedIn(user);
  else await signedOut();
  throw Object.assign(new Error(listText.signedOut), { code: 401 });
}

export function signedIn(user: User): void {
  void backend.dropStored(user.id);
  leaveSign(true);
  $auth.set({ status: true, user, checked: true });
  // Makes layouts/shell.ts show the signed-in user's header, because some pages stay open after a sign-in. If shell.ts
  // runs later, it reads the attribute instead of receiving the event.
  document.documentElement.dataset.session = '';
  dispatchEvent(new Event('common-ink:signed-in'));
}

/** Forgets the user and deletes the data that the service worker has stored for them. */
export async function signedOut(): Promise<void> {
  await backend.dropStored();
  becomeGuest();
}

/** Unlike `signedOut`, keeps the stored data, because the user may merely be offline. */
function becomeGuest(): void {
  leaveSign(false);
  $auth.set({ status: false, user: null, checked: true });
}

/** Requests the user now, and again when another tab signs in or out. Returns a function that stops listening. */
export function followUser(): () => void {
  void checkUser();
  const listen = (event: StorageEvent) => {
    if (event.key === SESSION_SIGN || event.key === null) void checkAgain();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

/** Sets or removes the signed-in flag. Without storage, the session works, but public pages show a guest's header. */
function leaveSign(present: boolean): void {
  const sign = present ? '1' : null;
  // Written only on a change, because each write wakes the other tabs.
  if (stored('localStorage', SESSION_SIGN) !== sign) store('localStorage', SESSION_SIGN, sign);
}
