/** Users' sessions, JWTs and tokens, for server keys (contract 2.2). */
import type { Accounts } from '../account/accounts.ts';
import { makeJwt } from '../account/sessions/jwt.ts';
import { recordSession } from '../account/sessions/open-session.ts';
import { sessionJson } from '../account/sessions/session.ts';
import { emitToken } from '../account/tokens/mailed-tokens.ts';
import { tokenSecret } from '../account/tokens/secret.ts';
import { tokenJson } from '../account/tokens/token-records.ts';
import { accountJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { AppwriteError } from '../http/errors.ts';
import { optional, range, required, uid } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';

/** Seconds. */
const JWT = { standard: 900, longest: 3600 };
const TOKEN = { standard: 900, shortest: 60, longest: 31_536_000 };

export function userSessionRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, sessions, tokens, signOut, jwtKey } = accounts;
  const userId = required(uid());

  return [
    route({
      method: 'GET',
      path: '/users/:userId/sessions',
      scope: 'users.read',
      params: { userId },
      handle({ params }) {
        const all = sessions.ofUser(users.require(params.userId).id);
        return { status: 200, body: { total: all.length, sessions: all.map((session) => sessionJson(session)) } };
      },
    }),
    route({
      method: 'POST',
      path: '/users/:userId/sessions',
      scope: 'users.write',
      params: { userId },
      async handle(context) {
        const user = users.require(context.params.userId);
        const proof = { userId: user.id, provider: 'server', providerUid: '', factors: ['server'] } as const;
        const { session, value } = await recordSession(kernel, accounts, context, proof);
        return { status: 201, body: sessionJson(session, { secret: value }) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/users/:userId/sessions',
      scope: 'users.write',
      params: { userId },
      async handle({ params, caller }) {
        const user = users.require(params.userId);
        await store.writeThoughFull(() => signOut(user.id));
        emitUserChange(events, caller, { userId: user.id, action: 'sessions.delete', payload: accountJson(user) });
        return { status: 204 };
      },
    }),
    route({
      method: 'DELETE',
      path: '/users/:userId/sessions/:sessionId',
      scope: 'users.write',
      params: { userId, sessionId: required(uid()) },
      async handle({ params, caller }) {
        const session = sessions.find(users.require(params.userId).id, params.sessionId);
        if (!session) throw new AppwriteError('user_session_not_found');
        await store.writeThoughFull(() => sessions.remove(session));
        const resource = { kind: 'sessions', id: session.id } as const;
        emitUserChange(events, caller, {
          userId: session.userId,
          resource,
          action: 'delete',
          payload: sessionJson(session),
        });
        return { status: 204 };
      },
    }),
    route({
      method: 'POST',
      path: '/users/:userId/jwts',
      scope: 'users.write',
      params: {
        userId,
        sessionId: optional(uid(), 'recent'),
        duration: optional(range(1, JWT.longest), JWT.standard),
      },
      handle({ params }) {
        const user = users.require(params.userId);
        const session =
          params.sessionId === 'recent' ? sessions.ofUser(user.id).at(-1) : sessions.find(user.id, params.sessionId);
        if (!session) throw new AppwriteError('user_session_not_found');
        const claims = { userId: user.id, sessionId: session.id };
        return { status: 201, body: { jwt: makeJwt(claims, params.duration, jwtKey) } };
      },
    }),
    route({
      method: 'POST',
      path: '/users/:userId/tokens',
      scope: 'users.write',
      params: {
        userId,
        length: optional(range(4, 128), 6),
        expire: optional(range(TOKEN.shortest, TOKEN.longest), TOKEN.standard),
      },
      async handle({ params, caller }) {
        const user = users.require(params.userId);
        const secret = tokenSecret(params.length);
        const token = await store.write(() =>
          tokens.insert({ userId: user.id, type: 'generic', secret, lifetime: params.expire }),
        );
        emitToken(kernel, caller, 'tokens', token, secret);
        return { status: 201, body: tokenJson(token, { secret }) };
      },
    }),
  ];
}
