/** Signs people in and up with passkeys, and lets users manage their passkeys (docs/decisions/032-passkeys.md). */

import { ID, type Models } from 'node-appwrite';
import { DomainError, faultOf } from '#blog/errors.ts';
import {
  MAX_PASSKEYS,
  type OwnPasskeys,
  type OwnPasskeysAction,
  type PasskeyCodes,
  type PasskeyOptions,
  type PasskeySignIn,
  type PasskeyUse,
  type Proof,
} from '#blog/passkeys.ts';
import { isModerator, type SiteRole } from '#blog/people.ts';
import { literal } from '../document.ts';
import { keyedBackend } from '../keyed-backend.ts';
import { isPasswordOf, oneTimeSecret, sessionOfCaller } from '../people/accounts.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { openAuthenticatorKeys } from './authenticator-keys.ts';
import { type Challenge, openChallenges, type Purpose } from './challenges.ts';
import { isUnproven, isUsable, openPasskeyStore, proofOf, type StoredPasskey, shown } from './stored-passkeys.ts';
import { creationOptions, requestOptions, verifyCreation, verifyUse } from './webauthn.ts';

/** Time after signing in during which adding or removing a passkey requires neither the password nor a passkey. */
const FRESH_MS = 15 * 60_000;
/** Time for the browser to open a session once a passkey is accepted: the shortest that Appwrite allows. */
const SIGN_IN_SECONDS = 60;
/** Name of the passkey created at sign-up, the same in every language. */
const FIRST_NAME = 'Passkey';

export interface PasskeysOptions {
  readonly siteUrl: string;
  readonly siteName: () => string;
  /** Returns true if the site's settings ask owners and editors to add a passkey. */
  readonly isWished: () => boolean;
  readonly roleOf: (userId: string) => Promise<SiteRole | undefined>;
  readonly now?: () => number;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Every method rejects with a `DomainError` for a refused call, or with the SDK's error if the backend fails. */
export function createPasskeys(
  target: ServerTarget,
  { siteUrl, siteName, isWished, roleOf, now = Date.now }: PasskeysOptions,
) {
  const { origin, hostname: host } = new URL(siteUrl);
  const site = { origin, host };
  const { users } = keyedBackend(target);
  const challenges = openChallenges(target, now);
  const store = openPasskeyStore(target);
  const keys = openAuthenticatorKeys(target, now);

  /** Verifies a response and uses up its challenge. Resolves to the result of `verify` and the challenge's user. */
  async function answered<T>(
    purpose: Purpose,
    verify: (isIssued: (challenge: string) => boolean) => Promise<T>,
  ): Promise<{ readonly result: T; readonly userId: string }> {
    let challenge: Challenge | undefined;
    const result = await verify((text) => {
      challenge = challenges.open(text, purpose);
      return challenge !== undefined;
    });
    if (!challenge) throw new DomainError('passkey-unknown');
    await challenges.use(challenge);
    return { result, userId: challenge.userId };
  }

  /** Returns the user whose passkey made this response. @throws DomainError if the response is not accepted */
  async function userOf(response: { readonly id: string }): Promise<Models.User> {
    const passkey = await store.find(response.id);
    if (passkey?.host !== host) throw new DomainError('passkey-unknown');
    const { result: counter } = await answered('use', (isIssued) => verifyUse(site, response, passkey, isIssued));
    const user = await unless('user_not_found', users.get({ userId: passkey.userId }));
    if (!user) throw new DomainError('passkey-unknown');
    const isBehind = counter <= passkey.counter && (counter > 0 || passkey.counter > 0);
    if (isBehind && !passkey.clonedAt) await store.change(passkey.id, { clonedAt: new Date(now()).toISOString() });
    if (isBehind || passkey.clonedAt) throw new DomainError('passkey-cloned');
    if (isUnproven(passkey, user)) throw new DomainError('passkey-unproven');
    await store.change(passkey.id, { counter, usedAt: new Date(now()).toISOString() });
    return user;
  }

  const signInOf = async (userId: string): Promise<PasskeySignIn> => ({
    userId,
    secret: await oneTimeSecret(target, userId, SIGN_IN_SECONDS),
    codes: await keys.codes(userId),
  });

  async function signUp(asked: Extract<PasskeyUse, { action: 'sign-up' }>): Promise<PasskeySignIn> {
    const { name, email, response } = asked;
    const { result, userId } = await answered('sign-up', (isIssued) => verifyCreation(site, response, isIssued));
    // Stores the passkey before the account, because an account without its passkey would block the address.
    const id = await store.add({ ...result, userId, host, name: FIRST_NAME });
    try {
      await users.create({ userId, email, name });
    } catch (error) {
      await store.remove(id);
      throw faultOf(error).code === 409 ? new DomainError('address-taken') : error;
    }
    return signInOf(userId);
  }

  /** @throws DomainError `wrong-password`, `passkey-unknown` for another user's passkey, or an error of `userOf` */
  async function prove(userId: string, proof: Proof): Promise<void> {
    if ('password' in proof) {
      if (!(await isPasswordOf(target, userId, proof.password))) throw new DomainError('wrong-password');
    } else if ((await userOf(proof.response)).$id !== userId) throw new DomainError('passkey-unknown');
  }

  async function proveUnlessFresh(userId: string, sessionId: string, proof: Proof | undefined): Promise<void> {
    if (proof) return prove(userId, proof);
    const { sessions } = await users.listSessions({ userId });
    const made = sessions.find(({ $id }) => $id === sessionId)?.$createdAt ?? '';
    if (!(now() - Date.parse(made) < FRESH_MS)) throw new DomainError('proof-needed');
  }

  /**
   * Returns the user's passkeys. Until the address is verified, records that they were seen in this session. Later,
   * trusts passkeys last seen in this session. The session then belongs to the owner of the address, because the first
   * verification ends everyone else's sessions.
   */
  async function follow(user: Models.User, sessionId: string): Promise<readonly StoredPasskey[]> {
    const passkeys = await store.ofUser(user.$id);
    const changed = passkeys.map(async (passkey): Promise<StoredPasskey> => {
      if (user.emailVerification && !(isUnproven(passkey, user) && passkey.seenIn === sessionId)) return passkey;
      if (!user.emailVerification && passkey.seenIn === sessionId) return passkey;
      const change = user.emailVerification ? { provenFor: proofOf(user.email) } : { seenIn: sessionId };
      await store.change(passkey.id, change);
      return { ...passkey, ...change };
    });
    return Promise.all(changed);
  }

  /**
   * Returns a signed-in user and the session's id. Reads the user before the session: if the returned user's address is
   * verified, the session has survived the verification, so it belongs to the owner of the address.
   */
  async function callerOf(userId: string, headers: Headers) {
    const user = await users.get({ userId });
    return { user, sessionId: (await sessionOfCaller(target, headers)).sessionId };
  }

  async function list(userId: string, headers: Headers): Promise<OwnPasskeys> {
    const { user, sessionId } = await callerOf(userId, headers);
    const passkeys = await follow(user, sessionId);
    return {
      passkeys: passkeys.map((passkey) => shown(passkey, user, host)),
      hasPassword: hasPassword(user),
      givesCodes: await keys.has(userId),
      isAsked: passkeys.length === 0 && isWished() && isModerator(await roleOf(userId)),
    };
  }

  async function add(user: Models.User, sessionId: string, { name, response }: Asked<'add'>): Promise<void> {
    const { $id: userId, email, emailVerification } = user;
    if ((await store.ofUser(userId)).length >= MAX_PASSKEYS) throw new DomainError('too-many-passkeys');
    const { result, userId: wanted } = await answered('add', (isIssued) => verifyCreation(site, response, isIssued));
    if (wanted !== userId) throw new DomainError('passkey-unknown');
    const trust = emailVerification ? { provenFor: proofOf(email) } : { seenIn: sessionId };
    await store.add({ ...result, userId, host, name, ...trust });
  }

  async function remove(user: Models.User, id: string): Promise<void> {
    const passkeys = await store.ofUser(user.$id);
    const others = passkeys.filter((passkey) => passkey.id !== id);
    const removed = passkeys.find((passkey) => passkey.id === id);
    if (!removed) throw new DomainError('not-found');
    const isUsed = (passkey: StoredPasskey) => isUsable(passkey, user, host);
    if (!hasPassword(user) && isUsed(removed) && !others.some(isUsed)) throw new DomainError('last-passkey');
    if (others.length > 0) await store.remove(id);
    else await store.forget(user.$id);
  }

  return {
    /** Returns WebAuthn's options as JSON. `userId` is undefined for a guest. */
    async options(asked: PasskeyOptions, userId: string | undefined): Promise<object> {
      if (asked.for === 'use') return requestOptions(site, challenges.issue('use'));
      if (asked.for === 'sign-up') {
        const id = ID.unique();
        return creationOptions(site, siteName(), { id, ...asked }, challenges.issue('sign-up', id), []);
      }
      if (userId === undefined) throw new DomainError('not-allowed');
      const { name, email } = await users.get({ userId });
      const known = (await store.ofUser(userId)).filter((passkey) => passkey.host === host);
      return creationOptions(site, siteName(), { id: userId, name, email }, challenges.issue('add', userId), known);
    },

    async use(asked: PasskeyUse): Promise<PasskeySignIn | PasskeyCodes> {
      if (asked.action === 'sign-up') return signUp(asked);
      const { $id } = await userOf(asked.response);
      return asked.action === 'code' ? { codes: await keys.codes($id) } : signInOf($id);
    },

    own: list,

    prove,

    async act(
      userId: string,
      headers: Headers,
      asked: OwnPasskeysAction,
    ): Promise<OwnPasskeys | PasskeySignIn | PasskeyCodes> {
      const { user, sessionId } = await callerOf(userId, headers);
      switch (asked.action) {
        case 'add':
          await proveUnlessFresh(userId, sessionId, asked.proof);
          await add(user, sessionId, asked);
          break;
        case 'rename':
          if (!(await store.ofUser(userId)).some(({ id }) => id === asked.id)) throw new DomainError('not-found');
          await store.change(asked.id, literal({ name: asked.name }));
          break;
        case 'remove':
          await proveUnlessFresh(userId, sessionId, asked.proof);
          await remove(user, asked.id);
          break;
        case 'keep-key':
          await prove(userId, asked.proof);
          if ((await store.ofUser(userId)).length === 0) throw new DomainError('not-found');
          await keys.keep(userId, asked.key);
          return { codes: await keys.codes(userId) };
        case 'change-email':
          await prove(userId, asked.proof);
          if (await unless(409, users.updateEmail({ userId, email: asked.email }))) break;
          throw new DomainError('address-taken');
        case 'remove-password':
          await prove(userId, asked.proof);
          await users.updatePassword({ userId, password: '' });
          // Appwrite may be configured to keep sessions when the password changes.
          await users.deleteSessions({ userId });
          return signInOf(userId);
      }
      return list(userId, headers);
    },
  };
}

type Asked<Action> = Extract<OwnPasskeysAction, { action: Action }>;

/** An account whose user never set a password may have a random one, but has no `passwordUpdate`. */
const hasPassword = ({ password, passwordUpdate }: Models.User): boolean => Boolean(password && passwordUpdate);
