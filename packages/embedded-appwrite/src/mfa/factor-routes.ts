/** Second-factor settings and the authenticator app (contract, part 2, 8). */
import { signedInUser } from '../account/profile-routes.ts';
import { accountJson, type UserRecord } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, required, text, whitelist } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { factorsOf, verifiedFactors } from './factors.ts';
import type { Authenticator } from './records.ts';
import { type MfaService, requireFreshChallenge } from './service.ts';
import { authenticatorSecret, stepOf } from './totp.ts';

const TYPE = { type: required(whitelist(['totp'])) };

export function factorRoutes(service: MfaService): Route[] {
  const { kernel, accounts, records } = service;
  const { store, events, options } = kernel;
  const { users, sessions } = accounts;

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

  const turn = route({
    method: 'PATCH',
    path: '/account/mfa',
    scope: 'account',
    params: { mfa: required(boolean()) },
    async handle({ params: { mfa }, caller }) {
      const { id } = signedInUser(caller);
      const user = await store.write(() => {
        const changed = users.change(id, { mfa });
        const session = caller.sessionId === undefined ? undefined : sessions.find(id, caller.sessionId);
        // Keeps the session that turns it on signed in.
        if (mfa && session) {
          sessions.setFactors(session, [...new Set([...session.factors, ...verifiedFactors(records, changed)])]);
        }
        return changed;
      });
      const body = accountJson(user);
      emitUserChange(events, caller, { userId: id, action: 'update.mfa', payload: body });
      return { status: 200, body };
    },
  });

  const list = route({
    method: 'GET',
    path: '/account/mfa/factors',
    scope: 'account',
    whileFactorOwed: true,
    params: {},
    handle: ({ caller }) => ({ status: 200, body: factorsOf(records, signedInUser(caller)) }),
  });

  const add = route({
    method: 'POST',
    path: '/account/mfa/authenticators/:type',
    scope: 'account',
    params: TYPE,
    async handle({ caller }) {
      const user = signedInUser(caller);
      const secret = authenticatorSecret();
      await store.write(() => {
        unverified(user);
        records.setAuthenticator(user.id, secret);
      });
      return { status: 200, body: { secret, uri: uriOf(user, secret) } };
    },
  });

  const verify = route({
    method: 'PUT',
    path: '/account/mfa/authenticators/:type',
    scope: 'account',
    params: { ...TYPE, otp: required(text(256)) },
    async handle({ params: { otp }, caller }) {
      const user = signedInUser(caller);
      await store.write(() => {
        const authenticator = unverified(user);
        if (!authenticator) throw new AppwriteError('user_authenticator_not_found');
        if (!authenticator.secret || stepOf(authenticator.secret, otp, Date.now(), 0) === undefined)
          throw new AppwriteError('user_invalid_token');
        records.verifyAuthenticator(user.id);
        const session = caller.sessionId === undefined ? undefined : sessions.find(user.id, caller.sessionId);
        if (session) sessions.setFactors(session, [...new Set([...session.factors, 'totp'])]);
      });
      const body = accountJson(user);
      emitUserChange(events, caller, { userId: user.id, action: 'update.mfa', payload: body });
      return { status: 200, body };
    },
  });

  const remove = route({
    method: 'DELETE',
    path: '/account/mfa/authenticators/:type',
    scope: 'account',
    params: TYPE,
    async handle({ caller }) {
      requireFreshChallenge(service, caller);
      const user = signedInUser(caller);
      const removed = await store.writeThoughFull(() => records.removeAuthenticator(user.id));
      if (!removed) throw new AppwriteError('user_authenticator_not_found');
      emitUserChange(events, caller, { userId: user.id, action: 'delete.mfa', payload: accountJson(user) });
      return { status: 204 };
    },
  });

  return [turn, list, add, verify, remove];
}
