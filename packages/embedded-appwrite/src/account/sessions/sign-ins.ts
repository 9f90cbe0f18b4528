/** Caches signed-in users until they or their sessions change. This is safe because only this process changes them. */
import { LRUCache } from 'lru-cache';
import type { SignedIn } from '../../http/access/authenticate.ts';
import { decodeSession } from '../tokens/secret.ts';
import type { UserRecord } from '../user.ts';
import type { UserRecords } from '../user-records.ts';
import { readJwt } from './jwt.ts';
import type { SessionRecord } from './session.ts';
import type { SessionRecords } from './session-records.ts';

const USERS_KEPT = 2000;
const SESSIONS_KEPT = 10;

export interface SignedInAccount extends SignedIn {
  readonly user: UserRecord;
}

interface Known {
  readonly user: UserRecord;
  /** Shared by all of the user's sessions, because the list may be long. */
  readonly roles: readonly string[];
  /** The most recently used sessions, by secret. */
  readonly sessions: LRUCache<string, SessionRecord>;
}

interface Sources {
  readonly users: UserRecords;
  readonly sessions: SessionRecords;
  readonly rolesOf: (user: UserRecord) => readonly string[];
  readonly owesFactor: (user: UserRecord, session: SessionRecord) => boolean;
  readonly jwtKey: string;
  readonly onUse: (found: SignedInAccount) => void;
}

export function createSignIns({ users, sessions, rolesOf, owesFactor, jwtKey, onUse }: Sources) {
  const known = new LRUCache<string, Known>({ max: USERS_KEPT });

  function lookUp(userId: string, secret: string): (Known & { session: SessionRecord }) | undefined {
    const kept = known.get(userId);
    const session = kept?.sessions.get(secret) ?? sessions.bySecret(userId, secret);
    const user = kept?.user ?? (session && users.byId(userId));
    if (!session || !user || Date.parse(session.expire) <= Date.now()) return undefined;
    const found = kept ?? { user, roles: rolesOf(user), sessions: new LRUCache({ max: SESSIONS_KEPT }) };
    found.sessions.set(secret, session);
    known.set(userId, found);
    return { ...found, session };
  }

  return {
    bySecret(value: string): SignedInAccount | undefined {
      const claim = decodeSession(value);
      const found = claim && lookUp(claim.id, claim.secret);
      if (!found) return undefined;
      const { user, roles, session } = found;
      const signedIn = { user, sessionId: session.id, roles, owesFactor: owesFactor(user, session) };
      onUse(signedIn);
      return signedIn;
    },
    byJwt(token: string): SignedInAccount | undefined {
      const { userId, sessionId } = readJwt(token, jwtKey);
      const user = sessions.find(userId, sessionId) && users.byId(userId);
      if (!user) return undefined;
      const found = { user, sessionId, roles: rolesOf(user), owesFactor: false };
      onUse(found);
      return found;
    },
    forget: (userId: string): void => void known.delete(userId),
  };
}
