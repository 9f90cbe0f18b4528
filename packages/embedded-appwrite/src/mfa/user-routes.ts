/** Users' second factors, for server keys (contract, part 2, 8). */
import { accountJson, userJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, required, uid, whitelist } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { factorsOf } from './factors.ts';
import { codesOf, makeCodes, renewCodes } from './recovery-code-routes.ts';
import type { MfaService } from './service.ts';

export function userFactorRoutes(service: MfaService): Route[] {
  const { kernel, accounts, records } = service;
  const { store, events } = kernel;
  const { users } = accounts;
  const params = { userId: required(uid()) };
  const codesPath = '/users/:userId/mfa/recovery-codes';

  return [
    route({
      method: 'PATCH',
      path: '/users/:userId/mfa',
      scope: 'users.write',
      params: { ...params, mfa: required(boolean()) },
      async handle({ params: { userId, mfa }, caller }) {
        const user = await store.write(() => users.change(userId, { mfa }));
        emitUserChange(events, caller, { userId, action: 'update.mfa', payload: accountJson(user) });
        return { status: 200, body: userJson(user) };
      },
    }),
    route({
      method: 'GET',
      path: '/users/:userId/mfa/factors',
      scope: 'users.read',
      params,
      handle: ({ params: { userId } }) => ({ status: 200, body: factorsOf(records, users.require(userId)) }),
    }),
    route({
      method: 'GET',
      path: codesPath,
      scope: 'users.read',
      params,
      handle: ({ params: { userId } }) => ({
        status: 200,
        body: { recoveryCodes: codesOf(service, users.require(userId).id) },
      }),
    }),
    route({
      method: 'PATCH',
      path: codesPath,
      scope: 'users.write',
      params,
      async handle({ params: { userId } }) {
        return { status: 200, body: { recoveryCodes: await makeCodes(service, users.require(userId).id) } };
      },
    }),
    route({
      method: 'PUT',
      path: codesPath,
      scope: 'users.write',
      params,
      async handle({ params: { userId } }) {
        return { status: 200, body: { recoveryCodes: await renewCodes(service, users.require(userId).id) } };
      },
    }),
    route({
      method: 'DELETE',
      path: '/users/:userId/mfa/authenticators/:type',
      scope: 'users.write',
      params: { ...params, type: required(whitelist(['totp'])) },
      async handle({ params: { userId }, caller }) {
        const user = users.require(userId);
        const removed = await store.writeThoughFull(() => records.removeAuthenticator(userId));
        if (!removed) throw new AppwriteError('user_authenticator_not_found');
        emitUserChange(events, caller, { userId, action: 'delete.mfa', payload: accountJson(user) });
        return { status: 204 };
      },
    }),
  ];
}
