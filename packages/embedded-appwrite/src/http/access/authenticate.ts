/** Authenticates a request by key, session or JWT, or as a guest (contract 1.2, 1.8). */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller, CallerUser } from '../../caller.ts';
import { AppwriteError } from '../errors.ts';
import { header, sessionClaims } from './credentials.ts';

export interface SignedIn {
  readonly user: CallerUser;
  readonly sessionId: string;
  readonly roles: readonly string[];
  /** True if the session has yet to pass a second factor; always false for a JWT. */
  readonly owesFactor: boolean;
}

export interface SignIns {
  /**
   * Returns the user whose session has this secret (base64, as in the cookie); `undefined` if the secret is unknown or
   * the session has expired.
   */
  bySecret(value: string): SignedIn | undefined;
  /**
   * Returns the user to whom a JWT was issued; `undefined` if the JWT's session has ended. Throws 401
   * `user_jwt_invalid` for an invalid token.
   */
  byJwt(token: string): SignedIn | undefined;
}

export interface ServerKey {
  readonly secret: string;
  readonly scopes?: readonly string[];
  /** Expiry date; by default, the key never expires. */
  readonly expire?: string;
}

export type Authenticate = (request: IncomingMessage) => Caller;

const PUBLIC_SCOPES =
  'public global sessions.write documents.read documents.write rows.read rows.write files.read files.write locale.read avatars.read executions.write';
const GUEST_SCOPES: ReadonlySet<string> = new Set(PUBLIC_SCOPES.split(' '));
export const USER_SCOPES: ReadonlySet<string> = new Set([
  ...GUEST_SCOPES,
  ...'account teams.read teams.write targets.read targets.write executions.read'.split(' '),
]);

export const GUEST: Caller = {
  kind: 'guest',
  roles: ['any', 'guests'],
  scopes: GUEST_SCOPES,
  privileged: false,
  via: 'none',
};

interface Key {
  readonly caller: Caller;
  /** Milliseconds since 1970; `Infinity` for a key that does not expire. */
  readonly expires: number;
}

/** Returns the keys, indexed by the digest of their secret so that look-up time reveals nothing about the secret. */
function keyring(serverKeys: readonly ServerKey[], allScopes: Iterable<string>): Map<string, Key> {
  const keys = new Map<string, Key>();
  for (const { secret, scopes, expire } of serverKeys) {
    // A server key acts for the project, not for an account, so it lacks the scopes `account` and `public`.
    const granted = new Set(['global', 'health.read', ...(scopes ?? allScopes)]);
    for (const scope of ['account', 'public']) granted.delete(scope);
    keys.set(hash('sha256', secret), {
      caller: { kind: 'key', roles: [], scopes: granted, privileged: true, via: 'key' },
      expires: expire === undefined ? Number.POSITIVE_INFINITY : Date.parse(expire),
    });
  }
  return keys;
}

function asUser({ user, sessionId, roles, owesFactor }: SignedIn, via: Caller['via']): Caller {
  const known = { kind: 'user', roles, scopes: USER_SCOPES, privileged: false, user, via } as const;
  return via === 'jwt' ? known : { ...known, sessionId, owesFactor };
}

/** @param allScopes scopes of all routes, granted to server keys that do not list any scopes */
export function createAuthenticate(
  options: { readonly projectId: string; readonly keys: readonly ServerKey[] },
  signIns: SignIns,
  allScopes: Iterable<string>,
): Authenticate {
  const keys = keyring(options.keys, allScopes);

  function byKey(secret: string): Caller {
    const key = keys.get(hash('sha256', secret));
    if (!key) throw new AppwriteError('user_unauthorized');
    if (key.expires <= Date.now()) throw new AppwriteError('project_key_expired');
    return key.caller;
  }

  function bySession(request: IncomingMessage): Caller | undefined {
    const { headers } = request;
    if (!headers.cookie && !headers['x-appwrite-session'] && !headers['x-fallback-cookies']) return undefined;
    for (const { via, value } of sessionClaims(request, options.projectId)) {
      const found = signIns.bySecret(value);
      if (found) return asUser(found, via);
    }
    return undefined;
  }

  return (request) => {
    const key = header(request, 'x-appwrite-key');
    if (key) return byKey(key);
    const caller = bySession(request);
    const token = header(request, 'x-appwrite-jwt');
    if (!token) return caller ?? GUEST;
    if (caller) throw new AppwriteError('user_jwt_and_cookie_set');
    const found = signIns.byJwt(token);
    return found ? asUser(found, 'jwt') : GUEST;
  };
}
