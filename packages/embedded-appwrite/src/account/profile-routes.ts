/** Account routes: sign-up, name, email, password, preferences (contract 2.1). */

import { networkOf } from '@common-ink/http/client-address.ts';
import type { Caller } from '../caller.ts';
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import { customId, email, optional, required, text } from '../http/params.ts';
import {
  type Answer,
  created,
  endpoint,
  NO_CONTENT,
  ok,
  type RateLimit,
  type Route,
  type RouteContext,
  route,
} from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { PREFS_BODY, password, preferences } from './params.ts';
import { flowOf } from './passwords/password-queue.ts';
import { clearSessionCookies } from './sessions/session-cookies.ts';
import { ACCOUNT_PROBES } from './tokens/guess-limits.ts';
import { accountJson, type UserRecord } from './user.ts';
import { emitUserChange } from './user-events.ts';
import type { UserChanges } from './user-records.ts';

const NAME_LENGTH = 128;
const HOURLY_10: RateLimit = { limit: 10 };
const OF_USER: RateLimit = { limit: 10, key: ({ userId }) => userId };

/** Returns the signed-in user. Throws 401 `user_unauthorized` for other callers. */
export function signedInUser(caller: Caller): UserRecord {
  if (!caller.user) throw new AppwriteError('user_unauthorized');
  // The cast is safe: `createSignIns` puts the full user record into every signed-in caller.
  return caller.user as UserRecord;
}

export function profileRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, sessions, tokens, signOut, passwords, passwordMinimum, knownAddresses } = accounts;

  async function change(
    { caller }: RouteContext<unknown>,
    field: string,
    changes: UserChanges,
    { conflict, besides }: { conflict?: ErrorType; besides?: () => void } = {},
  ): Promise<Answer> {
    const { id } = signedInUser(caller);
    const user = await store.write(() => {
      besides?.();
      return users.change(id, changes, conflict);
    });
    const body = accountJson(user);
    emitUserChange(events, caller, { userId: id, action: `update.${field}`, payload: body });
    return ok(body);
  }

  /**
   * Throws 401 if the session has ended, or if the password has changed since `compared` was read. Call within a write.
   */
  function requireStillSignedIn({ sessionId }: Caller, compared: UserRecord): void {
    users.requireUnchanged(compared);
    if (sessionId !== undefined && !sessions.find(compared.id, sessionId)) {
      throw new AppwriteError('user_invalid_credentials');
    }
  }

  async function requirePassword(context: RouteContext<unknown>, user: UserRecord, given: string): Promise<void> {
    if (user.password === '' || (await passwords.verify(given, user.password, flowOf(context)))) return;
    throw new AppwriteError('user_invalid_credentials');
  }

  const hashed = async (context: RouteContext<{ password: string }>) => ({
    password: await passwords.hash(context.params.password, flowOf(context)),
    passwordUpdate: now(),
  });

  return [
    endpoint('GET /account', 'account', {}, ({ caller }) => ok(accountJson(signedInUser(caller)))),
    route({
      method: 'POST',
      path: '/account',
      scope: 'sessions.write',
      limits: [HOURLY_10, ACCOUNT_PROBES],
      params: {
        userId: required(customId()),
        email: required(email()),
        password: required(password(passwordMinimum)),
        name: optional(text(NAME_LENGTH), ''),
      },
      async handle(context) {
        const { params, caller, client } = context;
        // Refuses a taken id or address before the expensive hash. The insert below checks both again.
        if (users.byId(params.userId) || users.byEmail(params.email)) throw new AppwriteError('user_already_exists');
        const hash = await passwords.hash(params.password, flowOf(context));
        const user = await store.write(() =>
          users.insert({ id: params.userId, email: params.email, name: params.name, password: hash }),
        );
        knownAddresses.add(user.email, networkOf(client.address));
        const body = accountJson(user);
        emitUserChange(events, caller, { userId: user.id, action: 'create', payload: body });
        return created(body);
      },
    }),
    endpoint('PATCH /account/name', 'account', { name: required(text(NAME_LENGTH)) }, (context) =>
      change(context, 'name', { name: context.params.name }),
    ),
    route({
      method: 'PATCH',
      path: '/account/email',
      scope: 'account',
      limits: [HOURLY_10, OF_USER, ACCOUNT_PROBES],
      params: { email: required(email()), password: required(password(passwordMinimum)) },
      async handle(context) {
        const { params, caller } = context;
        const user = signedInUser(caller);
        await requirePassword(context, user, params.password);
        if (params.email === user.email) throw new AppwriteError('user_target_already_exists');
        // A user who has no password yet, such as an anonymous user, sets one here together with the email address.
        const credentials = user.password === '' ? await hashed(context) : {};
        const besides = (): void => {
          requireStillSignedIn(caller, user);
          tokens.removeMailed(user.id);
        };
        const changes = { email: params.email, emailVerification: false, ...credentials };
        return change(context, 'email', changes, { conflict: 'user_target_already_exists', besides });
      },
    }),
    route({
      method: 'PATCH',
      path: '/account/password',
      scope: 'account',
      limits: [HOURLY_10, OF_USER],
      params: {
        password: required(password(passwordMinimum)),
        oldPassword: optional(text(256, { min: 0 }), ''),
      },
      async handle(context) {
        const { params, caller } = context;
        const user = signedInUser(caller);
        await requirePassword(context, user, params.oldPassword);
        const besides = (): void => {
          requireStillSignedIn(caller, user);
          signOut(user.id, caller.sessionId);
        };
        return change(context, 'password', await hashed(context), { besides });
      },
    }),
    endpoint('PATCH /account/status', 'account', {}, async (context) => {
      const answer = await change(context, 'status', { status: false });
      clearSessionCookies(context, kernel.options);
      return answer;
    }),
    endpoint('DELETE /account', 'account', {}, async (context) => {
      const { caller } = context;
      const user = signedInUser(caller);
      await store.writeThoughFull(() => users.remove(user.id));
      clearSessionCookies(context, kernel.options);
      emitUserChange(events, caller, { userId: user.id, action: 'delete', payload: accountJson(user) });
      return NO_CONTENT;
    }),
    endpoint('GET /account/prefs', 'account', {}, ({ caller }) => ok(signedInUser(caller).prefs)),
    route({
      method: 'PATCH',
      path: '/account/prefs',
      scope: 'account',
      largestBody: PREFS_BODY,
      params: { prefs: required(preferences()) },
      handle: (context) => change(context, 'prefs', { prefs: context.params.prefs }),
    }),
  ];
}
