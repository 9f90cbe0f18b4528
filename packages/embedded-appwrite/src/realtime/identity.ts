/** A connection's user, looked up on each use because sessions end and roles change while sockets stay open. */
import type { IncomingMessage } from 'node:http';
import type { Accounts } from '../account/accounts.ts';
import type { UserRecord } from '../account/user.ts';
import { GUEST } from '../http/access/authenticate.ts';
import { sessionClaims } from '../http/access/credentials.ts';

export interface Person {
  readonly user: UserRecord;
  readonly roles: readonly string[];
}

export interface Identity {
  readonly userId: string | undefined;
  /** `undefined` if the session has ended or still requires a second factor, or if the user is blocked or deleted. */
  person(): Person | undefined;
}

type Sources = Pick<Accounts, 'signIns' | 'users' | 'sessions' | 'rolesOf'>;

export const NOBODY: Identity = { userId: undefined, person: () => undefined };
export const GUEST_ROLES = GUEST.roles;

function unblocked<P extends Person>(person: P | undefined): P | undefined {
  return person?.user.status ? person : undefined;
}

/** Returns the identity for a session's secret (base64, as in the cookie); `undefined` if `person` finds no user. */
export function identityOfSession({ signIns }: Sources, secret: string): Identity | undefined {
  const person = () => {
    const signedIn = signIns.bySecret(secret);
    return signedIn?.owesFactor ? undefined : unblocked(signedIn);
  };
  const found = person();
  return found && { userId: found.user.id, person };
}

/** Returns the identity of a JWT. The token is checked only here: the socket may outlive it, but not its session. */
export function identityOfJwt({ signIns, users, sessions, rolesOf }: Sources, token: string): Identity | undefined {
  const found = unblocked(signIns.byJwt(token));
  if (!found) return undefined;
  const { user, sessionId } = found;
  return {
    userId: user.id,
    person() {
      const current = sessions.find(user.id, sessionId) && users.byId(user.id);
      return current && unblocked({ user: current, roles: rolesOf(current) });
    },
  };
}

export function identityOfRequest(sources: Sources, request: IncomingMessage, projectId: string): Identity {
  for (const { value } of sessionClaims(request, projectId)) {
    const found = identityOfSession(sources, value);
    if (found) return found;
  }
  return NOBODY;
}
