/**
 * Caches signed-in users by session secret. Only this process writes the database, and every change to a user or their
 * sessions drops the entries.
 */
import type { SignedIn, SignIns } from '../../http/access/authenticate.ts';
import { decodeSession } from '../tokens/secret.ts';
import type { UserRecord } from '../user.ts';
import type { UserRecords } from '../user-records.ts';
import { readJwt } from './jwt.ts';
import type { SessionRecord } from './session.ts';
import type { SessionRecords } from './session-records.ts';

const KEPT = 2000;

export interface SignedInAccount extends SignedIn {
  readonly user: UserRecord;
}

interface Known extends SignedInAccount {
  /** Milliseconds since 1970. */
  readonly expires: number;
}

export interface RememberedSignIns extends SignIns {
  bySecret(value: string): SignedInAccount | undefined;
  byJwt(token: string): SignedInAccount | undefined;
  forget(userId: string): void;
}

export interface SignInSources {
  readonly users: UserRecords;
  readonly sessions: SessionRecords;
  readonly rolesOf: (user: UserRecord) => readonly string[];
  readonly owesFactor: (user: UserRecord, session: SessionRecord) => boolean;
  readonly jwtKey: string;
  readonly onUse: (found: SignedInAccount) => void;
}

export function createSignIns({
  users,
  sessions,
  rolesOf,
  owesFactor,
  jwtKey,
  onUse,
}: SignInSources): RememberedSignIns {
  const known = new Map<string, Known>();
  const valuesOf = new Map<string, Set<string>>();

  function drop(value: string): void {
    const found = known.get(value);
    if (!found) return;
    known.delete(value);
    const values = valuesOf.get(found.user.id);
    values?.delete(value);
    if (values?.size === 0) valuesOf.delete(found.user.id);
  }

  function keep(value: string, found: Known): void {
    if (known.size >= KEPT) drop(known.keys().next().value as string);
    known.set(value, found);
    const values = valuesOf.get(found.user.id);
    if (values) values.add(value);
    else valuesOf.set(found.user.id, new Set([value]));
  }

  /** Reuses the list of roles, which may be long, for all of a user's sessions. */
  function rolesKept(user: UserRecord): readonly string[] {
    const [value] = valuesOf.get(user.id) ?? [];
    return (value !== undefined && known.get(value)?.roles) || rolesOf(user);
  }

  function lookUp(value: string): Known | undefined {
    const claim = decodeSession(value);
    const session = claim && sessions.bySecret(claim.id, claim.secret);
    const user = session && users.byId(session.userId);
    if (!user) return undefined;
    return {
      user,
      sessionId: session.id,
      roles: rolesKept(user),
      owesFactor: owesFactor(user, session),
      expires: Date.parse(session.expire),
    };
  }

  return {
    bySecret(value) {
      let found = known.get(value);
      if (!found) {
        found = lookUp(value);
        if (!found) return undefined;
        keep(value, found);
      } else if (found.expires <= Date.now()) {
        drop(value);
        return undefined;
      }
      onUse(found);
      return found;
    },
    byJwt(token) {
      const { userId, sessionId } = readJwt(token, jwtKey);
      const user = sessions.find(userId, sessionId) && users.byId(userId);
      if (!user) return undefined;
      const found = { user, sessionId, roles: rolesOf(user), owesFactor: false };
      onUse(found);
      return found;
    },
    forget(userId) {
      for (const value of valuesOf.get(userId) ?? []) drop(value);
    },
  };
}
