/** JWTs, and the links of recovery and verification mails. Without SMTP no such mail is ever sent (contract 2.1). */
import { AppwriteError } from '../http/errors.ts';
import { email, optional, range, required, text, uid } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { makeJwt } from './jwt.ts';
import { pageUrl, password } from './params.ts';
import { flowOf } from './password-queue.ts';
import { signedInUser } from './profile-routes.ts';
import { tokenJson } from './token-records.ts';
import { accountJson } from './user.ts';
import { emitUserChange } from './user-events.ts';

/** Seconds. */
const JWT_DEFAULT = 900;
const JWT_LONGEST = 3600;

function refuseMail(): never {
  throw new AppwriteError('general_smtp_disabled');
}

export function tokenRoutes({ store, events }: Kernel, accounts: Accounts): Route[] {
  const { users, sessions, tokens, jwtKey, passwords, passwordMinimum } = accounts;
  return [
    route({
      method: 'POST',
      path: '/account/jwts',
      aliases: ['/account/jwt'],
      whenFull: true,
      scope: 'account',
      limits: [{ limit: 120, window: 60, key: ({ userId }) => userId }],
      params: { duration: optional(range(1, JWT_LONGEST), JWT_DEFAULT) },
      handle({ params, caller }) {
        const user = signedInUser(caller);
        if (caller.sessionId === undefined) throw new AppwriteError('user_jwt_creation_denied');
        const claims = { userId: user.id, sessionId: caller.sessionId };
        return { status: 201, body: { jwt: makeJwt(claims, params.duration, jwtKey) } };
      },
    }),
    route({
      method: 'POST',
      path: '/account/recovery',
      scope: 'sessions.write',
      limits: [{ limit: 10, bodyKey: ({ param }) => `email ${param('email').trim().toLowerCase()}` }, { limit: 10 }],
      params: { email: required(email()), url: required(pageUrl()) },
      handle: refuseMail,
    }),
    route({
      method: 'PUT',
      path: '/account/recovery',
      scope: 'sessions.write',
      limits: [{ limit: 10, bodyKey: ({ param }) => param('userId') }],
      params: {
        userId: required(uid()),
        secret: required(text(256)),
        password: required(password(passwordMinimum)),
      },
      async handle(context) {
        const { params, caller } = context;
        const { userId, secret } = params;
        const token = await store.write(() => tokens.consume(userId, 'recovery', secret));
        if (!token) throw new AppwriteError('user_invalid_token');
        const hash = await passwords.hash(params.password, flowOf(context));
        const user = await store.write(() => {
          sessions.removeAll(userId);
          return users.change(userId, { password: hash, passwordUpdate: now(), emailVerification: true });
        });
        emitUserChange(events, caller, { userId, action: 'update.password', payload: accountJson(user) });
        return { status: 200, body: tokenJson(token) };
      },
    }),
    route({
      method: 'POST',
      path: '/account/verifications/email',
      aliases: ['/account/verification'],
      scope: 'account',
      limits: [{ limit: 10, key: ({ userId }) => userId }],
      params: { url: required(pageUrl()) },
      handle({ caller }) {
        if (signedInUser(caller).emailVerification) throw new AppwriteError('user_email_already_verified');
        return refuseMail();
      },
    }),
    route({
      method: 'PUT',
      path: '/account/verifications/email',
      aliases: ['/account/verification'],
      scope: 'public',
      limits: [{ limit: 10, bodyKey: ({ param }) => param('userId') }],
      params: { userId: required(uid()), secret: required(text(256)) },
      async handle({ params: { userId, secret }, caller }) {
        const done = await store.write(() => {
          const token = tokens.consume(userId, 'verification', secret);
          return token && { token, user: users.change(userId, { emailVerification: true }) };
        });
        if (!done) throw new AppwriteError('user_invalid_token');
        emitUserChange(events, caller, { userId, action: 'update.email', payload: accountJson(done.user) });
        return { status: 200, body: tokenJson(done.token) };
      },
    }),
  ];
}
