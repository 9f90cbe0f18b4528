/** JSON Web Tokens for sessions (contract 4): HS256 with the claims `userId`, `sessionId`, `exp`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppwriteError } from '../../http/errors.ts';
import { optional, range } from '../../http/params.ts';

export interface Claims {
  readonly userId: string;
  readonly sessionId: string;
}

/** The `duration` parameter for JWTs, in seconds. */
export const JWT_DURATION = optional(range(1, 3600), 900);

const HEADER = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url');

function sign(signed: string, key: string): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}

/** @param duration lifetime in seconds */
export function makeJwt({ userId, sessionId }: Claims, duration: number, key: string): string {
  const exp = Math.floor(Date.now() / 1000) + duration;
  const claims = Buffer.from(JSON.stringify({ userId, sessionId, exp })).toString('base64url');
  return `${HEADER}.${claims}.${sign(`${HEADER}.${claims}`, key).toString('base64url')}`;
}

function invalid(reason: string): AppwriteError {
  return new AppwriteError('user_jwt_invalid', `Failed to verify JWT. Invalid token: ${reason}`);
}

/** Returns a token's claims. Throws 401 `user_jwt_invalid` if it is malformed, not signed with `key`, or expired. */
export function readJwt(token: string, key: string): Claims {
  const [header, claims, signature, rest] = token.split('.');
  if (!header || !claims || !signature || rest !== undefined) throw invalid('Incomplete segments');
  const expected = sign(`${header}.${claims}`, key);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw invalid('Signature verification failed');
  const { userId, sessionId, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  if (exp * 1000 <= Date.now()) throw invalid('Expired');
  return { userId, sessionId };
}
