/** Creates JSON Web Tokens for the caller's session (contract 4). */
import { AppwriteError } from '../../http/errors.ts';
import { optional, range } from '../../http/params.ts';
import { type Route, route } from '../../http/route.ts';
import type { Accounts } from '../accounts.ts';
import { signedInUser } from '../profile-routes.ts';
import { makeJwt } from './jwt.ts';

/** Seconds. */
const JWT_DEFAULT = 900;
const JWT_LONGEST = 3600;

export function jwtRoutes({ jwtKey }: Accounts): Route[] {
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
  ];
}
