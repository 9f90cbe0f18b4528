/**
 * Signs users in and up with passkeys, and changes the signed-in user's passkeys. Functions throw an ApiError with the
 * server's error code, a backend error, or an Error with the name of the browser's `DOMException`.
 */

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { atom } from 'nanostores';
import * as backend from '#backend/browser/passkeys.ts';
import { sessionUser } from '#backend/browser/session.ts';
import { ApiError } from '#blog/errors.ts';
import {
  type OwnPasskeys,
  type OwnPasskeysAction,
  type PasskeyCodes,
  type PasskeyOptions,
  type PasskeySignIn,
  type PasskeyUse,
  type Proof,
  passkeyHostOf,
} from '#blog/passkeys.ts';
import type { User } from '#blog/user.ts';
import { accepted, ask, setPassword } from '../people.ts';
import { currentSite } from '../site.ts';
import { ownSessions } from './account.ts';
import { signedIn } from './auth.ts';
import { completeLogin } from './second-factor.ts';

type Answer = PasskeyUse['response'];

/**
 * Time after signing in during which users need not confirm their identity. The server's limit is a minute longer, as
 * filling in a form takes time.
 */
const RECENT_MS = 14 * 60_000;

/** The signed-in user's passkeys; undefined until they are loaded. */
export const $passkeys = atom<OwnPasskeys | undefined>();

/** Returns true if this browser supports passkeys and the page is on the host to which they are bound. */
export const canUsePasskeys = (): boolean =>
  browserSupportsWebAuthn() && passkeyHostOf(currentSite().url) === location.hostname;

/** Returns true if one of the user's passkeys works on this page. */
export const hasWorkingPasskey = (own: OwnPasskeys | undefined): boolean =>
  canUsePasskeys() && own?.passkeys.some((each) => !each.isCloned && !each.isUnproven && !each.otherHost) === true;

/** Sends a request without a session token, because a backend on another origin issues none to guests. */
async function asGuest<T>(path: string, body: PasskeyOptions | PasskeyUse): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const sent = fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await accepted(await sent.catch(() => undefined))).json();
}

const requestOptions = () => asGuest<PublicKeyCredentialRequestOptionsJSON>('/api/passkeys/options', { for: 'use' });

/** Asks the user for a passkey in the browser's dialog. */
export const askForPasskey = async (): Promise<Answer> => ({
  ...(await startAuthentication({ optionsJSON: await requestOptions() })),
});

/**
 * Resolves when the user chooses a passkey suggested in the email field. Resolves to undefined if the browser cannot
 * suggest passkeys.
 */
export async function suggestPasskeys(signal: AbortSignal): Promise<Answer | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const optionsJSON = await requestOptions();
  signal.throwIfAborted();
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: true })) };
}

async function enter(grant: PasskeySignIn): Promise<User> {
  const user = await backend.openPasskeySession(grant);
  signedIn(user);
  return user;
}

/** @throws the SDK's `user_more_factors_required` if the session still needs a second-factor code */
export const signInWithPasskey = async (response: Answer): Promise<User> =>
  enter(await asGuest('/api/passkeys', { action: 'sign-in', response }));

export async function signUpWithPasskey(form: { readonly name: string; readonly email: string }): Promise<User> {
  const optionsJSON = await asGuest<PublicKeyCredentialCreationOptionsJSON>('/api/passkeys/options', {
    for: 'sign-up',
    ...form,
  });
  const response = { ...(await startRegistration({ optionsJSON })) };
  return enter(await asGuest('/api/passkeys', { action: 'sign-up', response, ...form }));
}

/** Returns second-factor codes in the order to try them; none if the server lacks the authenticator app's key. */
export async function passkeyCodes(): Promise<readonly string[]> {
  const response = await askForPasskey();
  return (await asGuest<PasskeyCodes>('/api/passkeys', { action: 'code', response })).codes;
}

/** Completes a login that awaits a second factor. @throws ApiError `no-code` without a stored authenticator key */
export async function completeLoginWithPasskey(): Promise<User> {
  const codes = await passkeyCodes();
  if (codes.length === 0) throw new ApiError(422, 'no-code');
  return completeLogin(codes, 'totp');
}

export const loadPasskeys = async (): Promise<void> => $passkeys.set(await ask('/api/passkeys'));

const act = <T>(action: OwnPasskeysAction): Promise<T> => ask('/api/passkeys/own', action);

const change = async (action: OwnPasskeysAction): Promise<void> => $passkeys.set(await act(action));

/**
 * Returns the current browser and operating system, such as Firefox and GNU/Linux, and whether passkeys can be changed
 * without a proof.
 */
export async function thisDevice() {
  const current = (await ownSessions()).find(({ isCurrent }) => isCurrent);
  const isRecent = Date.now() - Date.parse(current?.since ?? '') < RECENT_MS;
  return { browser: current?.browser ?? '', system: current?.system ?? '', isRecent };
}

export async function addPasskey(name: string, proof: Proof | undefined): Promise<void> {
  const optionsJSON = await ask<PublicKeyCredentialCreationOptionsJSON>('/api/passkeys/options', { for: 'add' });
  const response = { ...(await startRegistration({ optionsJSON })) };
  await change({ action: 'add', response, name, ...(proof && { proof }) });
}

export const renamePasskey = (id: string, name: string): Promise<void> => change({ action: 'rename', id, name });

export const removePasskey = (id: string, proof: Proof | undefined): Promise<void> =>
  change({ action: 'remove', id, ...(proof && { proof }) });

/** Stores an authenticator app's key, so that the server can generate codes. Returns the codes to try now, in order. */
export async function keepAppKey(key: string): Promise<readonly string[]> {
  const proof = { response: await askForPasskey() };
  const { codes } = await act<PasskeyCodes>({ action: 'keep-key', key, proof });
  await loadPasskeys();
  return codes;
}

export async function changeEmailWithPasskey(email: string): Promise<void> {
  await change({ action: 'change-email', email, proof: { response: await askForPasskey() } });
  signedIn(await sessionUser());
}

/** Removes the password, which ends every session, and signs in again. */
export async function removePassword(): Promise<void> {
  await enter(await act({ action: 'remove-password', proof: { response: await askForPasskey() } }));
  await loadPasskeys();
}

/** Sets the password of a user without one, and ends the other sessions. */
export async function setFirstPassword(user: User, password: string): Promise<void> {
  // The server accepts a new password without the old one only in a fresh session.
  const { id } = await signInWithPasskey(await askForPasskey());
  if (id !== user.id) throw new ApiError(422, 'other-user');
  await setPassword(user.email, password);
  await loadPasskeys();
}
