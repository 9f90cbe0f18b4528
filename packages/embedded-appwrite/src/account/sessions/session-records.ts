/** The sessions table. Methods that write must run inside `store.write`. */
import { dateText, now, uniqueId } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { digestOf } from '../tokens/secret.ts';
import { SESSIONS, type SessionRecord } from './session.ts';

/** `secret` is the plain secret, not its digest. */
type NewSession = Pick<SessionRecord, 'userId' | 'secret' | 'provider' | 'providerUid' | 'factors' | 'ip' | 'agent'>;

export type SessionRecords = ReturnType<typeof createSessionRecords>;

/** @param duration lifetime of a session, in seconds */
export function createSessionRecords(
  store: Store,
  { duration, most }: { readonly duration: number; readonly most: number },
  onChange: (userId: string) => void,
) {
  const removeOthers = store.database.prepare('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
  const removeExpired = store.database.prepare('DELETE FROM sessions WHERE expire <= ?');
  const removeOldest = store.database.prepare(`
    DELETE FROM sessions WHERE user_id = :userId AND sequence NOT IN
      (SELECT sequence FROM sessions WHERE user_id = :userId ORDER BY sequence DESC LIMIT :most)`);
  const end = () => dateText(Date.now() + duration * 1000);
  const current = (where: Partial<SessionRecord>) => SESSIONS.list(store, where).filter(({ expire }) => expire > now());

  function find(userId: string, id: string): SessionRecord | undefined {
    return current({ id, userId })[0];
  }

  function change(session: SessionRecord, changes: Partial<SessionRecord>): SessionRecord {
    SESSIONS.update(store, { id: session.id }, { ...changes, updatedAt: now() });
    onChange(session.userId);
    return find(session.userId, session.id) ?? session;
  }

  return {
    /** Returns `undefined` for a session that is unknown, expired or another user's. */
    find,
    ofUser: (userId: string): SessionRecord[] => current({ userId }),
    bySecret: (userId: string, secret: string): SessionRecord | undefined =>
      current({ secret: digestOf(secret), userId })[0],
    /** Adds a session and removes the user's oldest sessions if there are more than `most`. */
    insert(session: NewSession): SessionRecord {
      const [id, moment, { userId }] = [uniqueId(), now(), session];
      removeExpired.run(moment);
      const secret = digestOf(session.secret);
      SESSIONS.insert(store, { ...session, id, secret, createdAt: moment, updatedAt: moment, expire: end() });
      removeOldest.run({ userId, most });
      onChange(userId);
      return find(userId, id) as SessionRecord;
    },
    extend: (session: SessionRecord): SessionRecord => change(session, { expire: end() }),
    /** @param met date of the last passed second-factor challenge; unchanged by default */
    setFactors: (session: SessionRecord, factors: readonly string[], met = session.mfaUpdatedAt): SessionRecord =>
      change(session, { factors, mfaUpdatedAt: met }),
    remove({ id, userId }: SessionRecord): void {
      SESSIONS.delete(store, { id });
      onChange(userId);
    },
    removeAll(userId: string, keep = ''): void {
      removeOthers.run(userId, keep);
      onChange(userId);
    },
  };
}
