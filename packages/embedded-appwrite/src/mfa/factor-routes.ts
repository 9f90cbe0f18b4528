/**
 * Routes for second factors and recovery codes: the caller's own or, with a server key, any user's (contract part 2,
 * section 8).
 */
import type { Accounts } from '../account/accounts.ts';
import { signedInUser } from '../account/profile-routes.ts';
import { accountJson, type UserRecord, userJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, required, text, uid, whitelist } from '../http/params.ts';
import { type Answer, created, endpoint, NO_CONTENT, ok, type Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { factorsOf, verifiedFactors } from './factors.ts';
import type { Authenticator } from './records.ts';
import { authenticatorSecret, stepOf } from './totp.ts';

const OWN_APP = '/account/mfa/authenticators/:type';
const OWN_CODES = '/account/mfa/recovery-codes';
const USERS_CODES = '/users/:userId/mfa/recovery-codes';
/** Time in milliseconds for which a passed challenge counts as fresh. */
const FRESH = 300_000;

export function factorRoutes({ store, events, options }: Kernel, { users, sessions, mfa: records }: Accounts): Route[] {
  const type = required(whitelist(['totp']));
  const userId = required(uid());

  function emit(caller: Caller, user: UserRecord, action: 'update.mfa' | 'delete.mfa'): void {
    emitUserChange(events, caller, { userId: user.id, action, payload: accountJson(user) });
  }

  /** Returns the caller's session; undefined for a JWT. */
  const ownSession = ({ user, sessionId }: Caller) =>
    user && sessionId !== undefined ? sessions.find(user.id, sessionId) : undefined;

  /** Marks newly enabled factors as passed in the caller's session, so that it is not blocked. Call within a write. */
  function addFactors(caller: Caller, factors: readonly string[]): void {
    const session = ownSession(caller);
    if (session) sessions.setFactors(session, [...new Set([...session.factors, ...factors])]);
  }

  /** Throws 401 `user_challenge_required` unless this session passed a challenge in the last five minutes. */
  function requireFreshChallenge(caller: Caller): void {
    const met = ownSession(caller)?.mfaUpdatedAt ?? '';
    if (met === '' || Date.now() - Date.parse(met) > FRESH) throw new AppwriteError('user_challenge_required');
  }

  function uriOf(user: UserRecord, secret: string): string {
    const issuer = encodeURIComponent(options.projectId);
    const label = encodeURIComponent(`${options.projectId}:${user.email || user.id}`);
    return `otpauth://totp/${label}?issuer=${issuer}&secret=${secret}`;
  }

  function unverified(user: UserRecord): Authenticator | undefined {
    const authenticator = records.authenticator(user.id);
    if (authenticator?.verified) throw new AppwriteError('user_authenticator_already_verified');
    return authenticator;
  }

  async function removeAuthenticator(caller: Caller, user: UserRecord): Promise<Answer> {
    const removed = await store.writeThoughFull(() => records.removeAuthenticator(user.id));
    if (!removed) throw new AppwriteError('user_authenticator_not_found');
    emit(caller, user, 'delete.mfa');
    return NO_CONTENT;
  }

  function codesOf(id: string) {
    const recoveryCodes = records.recoveryCodes(id);
    if (recoveryCodes.length === 0) throw new AppwriteError('user_recovery_codes_not_found');
    return { recoveryCodes };
  }

  const makeCodes = (id: string) =>
    store.write(() => {
      if (records.recoveryCodes(id).length > 0) throw new AppwriteError('user_recovery_codes_already_exists');
      return { recoveryCodes: records.renewRecoveryCodes(id) };
    });

  const renewCodes = (id: string) =>
    store.write(() => {
      codesOf(id);
      return { recoveryCodes: records.renewRecoveryCodes(id) };
    });

  return [
    endpoint('PATCH /account/mfa', 'account', { mfa: required(boolean()) }, async ({ params: { mfa }, caller }) => {
      const { id } = signedInUser(caller);
      const user = await store.write(() => {
        const changed = users.change(id, { mfa });
        if (mfa) addFactors(caller, verifiedFactors(records, changed));
        return changed;
      });
      emit(caller, user, 'update.mfa');
      return ok(accountJson(user));
    }),
    endpoint('GET /account/mfa/factors', { scope: 'account', whileFactorOwed: true }, {}, ({ caller }) =>
      ok(factorsOf(records, signedInUser(caller))),
    ),
    endpoint(`POST ${OWN_APP}`, 'account', { type }, async ({ caller }) => {
      const user = signedInUser(caller);
      const secret = authenticatorSecret();
      await store.write(() => {
        unverified(user);
        records.setAuthenticator(user.id, secret);
      });
      return ok({ secret, uri: uriOf(user, secret) });
    }),
    endpoint(`PUT ${OWN_APP}`, 'account', { type, otp: required(text(256)) }, async ({ params: { otp }, caller }) => {
      const user = signedInUser(caller);
      await store.write(() => {
        const authenticator = unverified(user);
        if (!authenticator) throw new AppwriteError('user_authenticator_not_found');
        const { secret } = authenticator;
        if (!secret || stepOf(secret, otp, Date.now(), 0) === undefined) throw new AppwriteError('user_invalid_token');
        records.verifyAuthenticator(user.id);
        addFactors(caller, ['totp']);
      });
      emit(caller, user, 'update.mfa');
      return ok(accountJson(user));
    }),
    endpoint(`DELETE ${OWN_APP}`, 'account', { type }, ({ caller }) => {
      requireFreshChallenge(caller);
      return removeAuthenticator(caller, signedInUser(caller));
    }),
    endpoint(`POST ${OWN_CODES}`, 'account', {}, async ({ caller }) =>
      created(await makeCodes(signedInUser(caller).id)),
    ),
    endpoint(`GET ${OWN_CODES}`, 'account', {}, ({ caller }) => {
      requireFreshChallenge(caller);
      return ok(codesOf(signedInUser(caller).id));
    }),
    endpoint(`PATCH ${OWN_CODES}`, 'account', {}, async ({ caller }) => {
      requireFreshChallenge(caller);
      return ok(await renewCodes(signedInUser(caller).id));
    }),

    endpoint(
      'PATCH /users/:userId/mfa',
      'users.write',
      { userId, mfa: required(boolean()) },
      async ({ params, caller }) => {
        const user = await store.write(() => users.change(params.userId, { mfa: params.mfa }));
        emit(caller, user, 'update.mfa');
        return ok(userJson(user));
      },
    ),
    endpoint('GET /users/:userId/mfa/factors', 'users.read', { userId }, ({ params }) =>
      ok(factorsOf(records, users.require(params.userId))),
    ),
    endpoint(`GET ${USERS_CODES}`, 'users.read', { userId }, ({ params }) =>
      ok(codesOf(users.require(params.userId).id)),
    ),
    endpoint(`PATCH ${USERS_CODES}`, 'users.write', { userId }, async ({ params }) =>
      ok(await makeCodes(users.require(params.userId).id)),
    ),
    endpoint(`PUT ${USERS_CODES}`, 'users.write', { userId }, async ({ params }) =>
      ok(await renewCodes(users.require(params.userId).id)),
    ),
    endpoint('DELETE /users/:userId/mfa/authenticators/:type', 'users.write', { userId, type }, ({ params, caller }) =>
      removeAuthenticator(caller, users.require(params.userId)),
    ),
  ];
}
