/** Routes for signing in and out, listing sessions and creating JWTs (contract 2.1, 4). */
import { networkOf } from '@common-ink/http/client-address.ts';
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { email, required, uid } from '../../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route, type RouteContext, route } from '../../http/route.ts';
import { uniqueId } from '../../identifiers.ts';
import type { Kernel } from '../../kernel.ts';
import type { Accounts } from '../accounts.ts';
import { password } from '../params.ts';
import { flowOf } from '../passwords/password-queue.ts';
import { signedInUser } from '../profile-routes.ts';
import { emitUserChange } from '../user-events.ts';
import { JWT_DURATION, makeJwt } from './jwt.ts';
import { openSession } from './open-session.ts';
import { type SessionRecord, sessionJson } from './session.ts';
import { clearSessionCookies } from './session-cookies.ts';

const ID = { sessionId: required(uid()) };
const ENDINGS = [{ limit: 100 }];
/** Maximum failed sign-ins per network: enough for a school class's typos, but too few to guess a password. */
const FAILURES = { limit: 60, window: 600, counts: 'failures' } as const;

export function sessionRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, sessions, tokens, signOut, passwords, passwordMinimum, knownAddresses } = accounts;
  const { anonymous = false } = kernel.options;

  const shown = (session: SessionRecord, { sessionId }: Caller) =>
    sessionJson(session, { current: session.id === sessionId });

  /** Returns the requested session. Throws 404 for another user's session, and for `current` if a JWT was used. */
  function requested({ caller, params }: RouteContext<{ sessionId: string }>): SessionRecord {
    const id = params.sessionId === 'current' ? caller.sessionId : params.sessionId;
    const session = id === undefined ? undefined : sessions.find(signedInUser(caller).id, id);
    if (!session) throw new AppwriteError('user_session_not_found');
    return session;
  }

  function emit({ caller }: RouteContext<unknown>, session: SessionRecord, action: string): void {
    const resource = { kind: 'sessions', id: session.id } as const;
    emitUserChange(events, caller, { userId: session.userId, resource, action, payload: shown(session, caller) });
  }

  return [
    route({
      method: 'POST',
      path: '/account/sessions/email',
      aliases: ['/account/sessions'],
      whenFull: true,
      scope: 'sessions.write',
      group: 'session',
      limits: [
        { limit: 10, bodyKey: (input) => knownAddresses.keyOf(input), resetOnSuccess: true },
        { ...FAILURES, bodyKey: (input) => knownAddresses.strangerOf(input) },
      ],
      params: { email: required(email()), password: required(password(passwordMinimum)) },
      async handle(context) {
        const { params, client } = context;
        const network = networkOf(client.address);
        const user = users.byEmail(params.email);
        const flow = flowOf(context, knownAddresses.nameOf(params.email, network));
        const right = await passwords.verify(params.password, user?.password ?? '', flow);
        if (!user || !right) throw new AppwriteError('user_invalid_credentials');
        if (!user.status) throw new AppwriteError('user_blocked');
        knownAddresses.add(params.email, network);
        return openSession(kernel, accounts, context, () => {
          users.requireUnchanged(user);
          return { userId: user.id, provider: 'email', providerUid: user.email, factors: ['password'] };
        });
      },
    }),
    route({
      method: 'POST',
      path: '/account/sessions/anonymous',
      scope: 'sessions.write',
      // While anonymous sign-in is disabled, the route has no `session` group: signed-in callers would get that group's
      // 401 instead of the error below.
      group: anonymous ? 'session' : undefined,
      limits: [{ limit: 50 }],
      params: {},
      async handle(context) {
        if (!anonymous) {
          throw new AppwriteError(
            'user_auth_method_unsupported',
            'Anonymous authentication is disabled for this project',
          );
        }
        const { id: userId } = await store.write(() => users.insert({ id: uniqueId() }));
        const proof = { userId, provider: 'anonymous', providerUid: '', factors: ['anonymous'] } as const;
        return openSession(kernel, accounts, context, () => proof);
      },
    }),
    endpoint('GET /account/sessions', 'account', {}, ({ caller }) => {
      const own = sessions.ofUser(signedInUser(caller).id);
      return ok({ total: own.length, sessions: own.map((session) => shown(session, caller)) });
    }),
    endpoint('GET /account/sessions/:sessionId', 'account', ID, (context) =>
      ok(shown(requested(context), context.caller)),
    ),
    route({
      method: 'PATCH',
      path: '/account/sessions/:sessionId',
      whenFull: true,
      scope: 'account',
      limits: [{ limit: 10 }],
      params: ID,
      async handle(context) {
        const found = requested(context);
        const session = await store.write(() => sessions.extend(found));
        emit(context, session, 'update');
        return ok(shown(session, context.caller));
      },
    }),
    route({
      method: 'DELETE',
      path: '/account/sessions/:sessionId',
      scope: 'account',
      whileFactorOwed: true,
      limits: ENDINGS,
      params: ID,
      async handle(context) {
        const session = requested(context);
        const isCurrent = session.id === context.caller.sessionId;
        await store.writeThoughFull(() => {
          sessions.remove(session);
          // The device of the ended session may still receive the user's email, so emailed links are revoked too.
          if (!isCurrent) tokens.removeEvery(session.userId);
        });
        if (isCurrent) clearSessionCookies(context, kernel.options);
        emit(context, session, 'delete');
        return NO_CONTENT;
      },
    }),
    endpoint('DELETE /account/sessions', { scope: 'account', limits: ENDINGS }, {}, async (context) => {
      const { caller } = context;
      const { id } = signedInUser(caller);
      const current = caller.sessionId === undefined ? undefined : sessions.find(id, caller.sessionId);
      await store.writeThoughFull(() => signOut(id));
      clearSessionCookies(context, kernel.options);
      if (current) emit(context, current, 'delete');
      return NO_CONTENT;
    }),
    route({
      method: 'POST',
      path: '/account/jwts',
      aliases: ['/account/jwt'],
      whenFull: true,
      scope: 'account',
      limits: [{ limit: 120, window: 60, key: ({ userId }) => userId }],
      params: { duration: JWT_DURATION },
      handle({ params, caller }) {
        const { id: userId } = signedInUser(caller);
        const { sessionId } = caller;
        if (sessionId === undefined) throw new AppwriteError('user_jwt_creation_denied');
        return created({ jwt: makeJwt({ userId, sessionId }, params.duration, accounts.jwtKey) });
      },
    }),
  ];
}
