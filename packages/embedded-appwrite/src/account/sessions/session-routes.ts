/** Routes to sign in, sign out and list sessions (contract 2.1). */
import { networkOf } from '@common-ink/http/client-address.ts';
import { AppwriteError } from '../../http/errors.ts';
import { email, required, uid } from '../../http/params.ts';
import { type Route, type RouteContext, route } from '../../http/route.ts';
import { uniqueId } from '../../identifiers.ts';
import type { Kernel } from '../../kernel.ts';
import type { Accounts } from '../accounts.ts';
import { password } from '../params.ts';
import { flowOf } from '../passwords/password-queue.ts';
import { signedInUser } from '../profile-routes.ts';
import { emitUserChange } from '../user-events.ts';
import { openSession } from './open-session.ts';
import { type SessionRecord, sessionJson } from './session.ts';
import { clearSessionCookies } from './session-cookies.ts';

const ENDINGS = [{ limit: 100 }];
/** Tolerates the typos of a class behind one address, but few guesses. */
const FAILURES = { limit: 60, window: 600, counts: 'failures' } as const;

export function sessionRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, sessions, tokens, signOut, passwords, passwordMinimum, knownAddresses } = accounts;
  const { anonymous = false } = kernel.options;

  /** Returns the requested session. Throws 404 for another user's, and for `current` when the caller has a JWT. */
  function requested({ caller, params }: RouteContext<{ sessionId: string }>): SessionRecord {
    const id = params.sessionId === 'current' ? caller.sessionId : params.sessionId;
    const session = id === undefined ? undefined : sessions.find(signedInUser(caller).id, id);
    if (!session) throw new AppwriteError('user_session_not_found');
    return session;
  }

  function emit(context: RouteContext<unknown>, session: SessionRecord, action: string): void {
    const payload = sessionJson(session, { current: session.id === context.caller.sessionId });
    const resource = { kind: 'sessions', id: session.id } as const;
    emitUserChange(events, context.caller, { userId: session.userId, resource, action, payload });
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
        const proof = { userId: user.id, provider: 'email', providerUid: user.email, factors: ['password'] } as const;
        return openSession(kernel, accounts, context, () => {
          users.requireUnchanged(user);
          return proof;
        });
      },
    }),
    route({
      method: 'POST',
      path: '/account/sessions/anonymous',
      scope: 'sessions.write',
      // Without a group, signed-in callers also learn that anonymous sign-in is off.
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
        const user = await store.write(() => users.insert({ id: uniqueId() }));
        const proof = { userId: user.id, provider: 'anonymous', providerUid: '', factors: ['anonymous'] } as const;
        return openSession(kernel, accounts, context, proof);
      },
    }),
    route({
      method: 'GET',
      path: '/account/sessions',
      scope: 'account',
      params: {},
      handle({ caller }) {
        const own = sessions.ofUser(signedInUser(caller).id);
        const shown = own.map((session) => sessionJson(session, { current: session.id === caller.sessionId }));
        return { status: 200, body: { total: own.length, sessions: shown } };
      },
    }),
    route({
      method: 'GET',
      path: '/account/sessions/:sessionId',
      scope: 'account',
      params: { sessionId: required(uid()) },
      handle(context) {
        const session = requested(context);
        return { status: 200, body: sessionJson(session, { current: session.id === context.caller.sessionId }) };
      },
    }),
    route({
      method: 'PATCH',
      path: '/account/sessions/:sessionId',
      whenFull: true,
      scope: 'account',
      limits: [{ limit: 10 }],
      params: { sessionId: required(uid()) },
      async handle(context) {
        const found = requested(context);
        const session = await store.write(() => sessions.extend(found));
        emit(context, session, 'update');
        return { status: 200, body: sessionJson(session, { current: session.id === context.caller.sessionId }) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/account/sessions/:sessionId',
      scope: 'account',
      whileFactorOwed: true,
      limits: ENDINGS,
      params: { sessionId: required(uid()) },
      async handle(context) {
        const session = requested(context);
        await store.writeThoughFull(() => {
          sessions.remove(session);
          // A user who ends another session may have lost a mailed link too.
          if (session.id !== context.caller.sessionId) tokens.removeEvery(session.userId);
        });
        if (session.id === context.caller.sessionId) clearSessionCookies(context, kernel.options);
        emit(context, session, 'delete');
        return { status: 204 };
      },
    }),
    route({
      method: 'DELETE',
      path: '/account/sessions',
      scope: 'account',
      limits: ENDINGS,
      params: {},
      async handle(context) {
        const { caller } = context;
        const { id } = signedInUser(caller);
        const current = caller.sessionId === undefined ? undefined : sessions.find(id, caller.sessionId);
        await store.writeThoughFull(() => signOut(id));
        clearSessionCookies(context, kernel.options);
        if (current) emit(context, current, 'delete');
        return { status: 204 };
      },
    }),
  ];
}
