import type { Accounts } from '../account/accounts.ts';
import { JWT_DURATION, makeJwt } from '../account/sessions/jwt.ts';
import { recordSession } from '../account/sessions/open-session.ts';
import { sessionJson } from '../account/sessions/session.ts';
import { emitToken } from '../account/tokens/mailed-tokens.ts';
import { tokenSecret } from '../account/tokens/secret.ts';
import { tokenJson } from '../account/tokens/token-records.ts';
import { accountJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { AppwriteError } from '../http/errors.ts';
import { optional, range, required, uid } from '../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';

/** Default, minimum and maximum lifetime of a token, in seconds. */
const TOKEN = { standard: 900, shortest: 60, longest: 31_536_000 };

export function userSessionRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, sessions, tokens, signOut, jwtKey } = accounts;
  const userId = required(uid());
  const path = '/users/:userId/sessions';

  return [
    endpoint(`GET ${path}`, 'users.read', { userId }, ({ params }) => {
      const all = sessions.ofUser(users.require(params.userId).id);
      return ok({ total: all.length, sessions: all.map((session) => sessionJson(session)) });
    }),
    endpoint(`POST ${path}`, 'users.write', { userId }, async (context) => {
      const { id } = users.require(context.params.userId);
      const proof = { userId: id, provider: 'server', providerUid: '', factors: ['server'] } as const;
      const { session, value } = await recordSession(kernel, accounts, context, () => proof);
      return created(sessionJson(session, { secret: value }));
    }),
    endpoint(`DELETE ${path}`, 'users.write', { userId }, async ({ params, caller }) => {
      const user = users.require(params.userId);
      await store.writeThoughFull(() => signOut(user.id));
      emitUserChange(events, caller, { userId: user.id, action: 'sessions.delete', payload: accountJson(user) });
      return NO_CONTENT;
    }),
    endpoint(`DELETE ${path}/:sessionId`, 'users.write', { userId, sessionId: userId }, async ({ params, caller }) => {
      const session = sessions.find(users.require(params.userId).id, params.sessionId);
      if (!session) throw new AppwriteError('user_session_not_found');
      await store.writeThoughFull(() => sessions.remove(session));
      const resource = { kind: 'sessions', id: session.id } as const;
      const change = { userId: session.userId, resource, action: 'delete', payload: sessionJson(session) };
      emitUserChange(events, caller, change);
      return NO_CONTENT;
    }),
    route({
      method: 'POST',
      path: '/users/:userId/jwts',
      scope: 'users.write',
      params: { userId, sessionId: optional(uid(), 'recent'), duration: JWT_DURATION },
      handle({ params }) {
        const { id } = users.require(params.userId);
        const session =
          params.sessionId === 'recent' ? sessions.ofUser(id).at(-1) : sessions.find(id, params.sessionId);
        if (!session) throw new AppwriteError('user_session_not_found');
        return created({ jwt: makeJwt({ userId: id, sessionId: session.id }, params.duration, jwtKey) });
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
        const { id } = users.require(params.userId);
        const secret = tokenSecret(params.length);
        const token = await store.write(() =>
          tokens.insert({ userId: id, type: 'generic', secret, lifetime: params.expire }),
        );
        emitToken(kernel, caller, 'tokens', token, secret);
        return created(tokenJson(token, { secret }));
      },
    }),
  ];
}
