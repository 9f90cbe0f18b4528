/** The sessions table. Everything that writes runs inside `store.write`. */
import type { SQLOutputValue } from 'node:sqlite';
import { dateText, now, uniqueId } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { digestOf } from '../tokens/secret.ts';
import type { Agent } from './agent.ts';
import type { Provider, SessionRecord } from './session.ts';

export interface NewSession {
  readonly userId: string;
  readonly secret: string;
  readonly provider: Provider;
  readonly providerUid: string;
  readonly factors: readonly string[];
  readonly ip: string;
  readonly agent: Agent;
}

export interface SessionRecords {
  /** Not expired, oldest first. */
  ofUser(userId: string): SessionRecord[];
  /** `undefined` when unknown, expired or another user's. */
  find(userId: string, id: string): SessionRecord | undefined;
  bySecret(userId: string, secret: string): SessionRecord | undefined;
  /** Adds a session and drops the user's oldest ones beyond the limit. */
  insert(session: NewSession): SessionRecord;
  /** Starts the session's time anew. */
  extend(session: SessionRecord): SessionRecord;
  /** @param met when it met a challenge; without it that stays as it was. */
  setFactors(session: SessionRecord, factors: readonly string[], met?: string): SessionRecord;
  remove(session: SessionRecord): void;
  /** All of a user's sessions but `keep`. */
  removeAll(userId: string, keep?: string): void;
}

export interface SessionRules {
  /** Seconds. */
  readonly duration: number;
  readonly most: number;
}

type Row = Record<string, SQLOutputValue>;

function fromRow(row: Row): SessionRecord {
  return {
    id: row.id as string,
    userId: row.user_id as string,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    expire: row.expire as string,
    provider: row.provider as Provider,
    providerUid: row.provider_uid as string,
    factors: JSON.parse(row.factors as string),
    mfaUpdatedAt: row.mfa_updated_at as string,
    ip: row.ip as string,
    agent: JSON.parse(row.agent as string),
  };
}

/** @param onChange told the id of each user whose sessions were changed. */
export function createSessionRecords(
  store: Store,
  { duration, most }: SessionRules,
  onChange: (userId: string) => void,
): SessionRecords {
  const prepare = (sql: string) => store.database.prepare(sql);
  const selectOfUser = prepare('SELECT * FROM sessions WHERE user_id = ? AND expire > ? ORDER BY sequence');
  const select = prepare('SELECT * FROM sessions WHERE id = ? AND user_id = ? AND expire > ?');
  const selectBySecret = prepare('SELECT * FROM sessions WHERE secret = ? AND user_id = ? AND expire > ?');
  const insert = prepare(`
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider, provider_uid, factors, ip, agent)
    VALUES (:id, :userId, :secret, :now, :now, :expire, :provider, :providerUid, :factors, :ip, :agent)`);
  const extend = prepare('UPDATE sessions SET expire = ?, updated_at = ? WHERE id = ?');
  const setFactors = prepare('UPDATE sessions SET factors = ?, mfa_updated_at = ?, updated_at = ? WHERE id = ?');
  const remove = prepare('DELETE FROM sessions WHERE id = ?');
  const removeAll = prepare('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
  const removeExpired = prepare('DELETE FROM sessions WHERE expire <= ?');
  const removeOldest = prepare(`
    DELETE FROM sessions WHERE user_id = :userId AND sequence NOT IN
      (SELECT sequence FROM sessions WHERE user_id = :userId ORDER BY sequence DESC LIMIT :most)`);
  const end = () => dateText(Date.now() + duration * 1000);

  function find(userId: string, id: string): SessionRecord | undefined {
    const row = select.get(id, userId, now());
    return row && fromRow(row);
  }

  return {
    find,
    ofUser: (userId) => selectOfUser.all(userId, now()).map((row) => fromRow(row)),
    bySecret(userId, secret) {
      const row = selectBySecret.get(digestOf(secret), userId, now());
      return row && fromRow(row);
    },
    insert({ secret, factors, agent, ...session }) {
      const id = uniqueId();
      removeExpired.run(now());
      insert.run({
        ...session,
        id,
        secret: digestOf(secret),
        now: now(),
        expire: end(),
        factors: JSON.stringify(factors),
        agent: JSON.stringify(agent),
      });
      removeOldest.run({ userId: session.userId, most });
      onChange(session.userId);
      return find(session.userId, id) as SessionRecord;
    },
    extend(session) {
      extend.run(end(), now(), session.id);
      onChange(session.userId);
      return find(session.userId, session.id) ?? session;
    },
    setFactors(session, factors, met = session.mfaUpdatedAt) {
      setFactors.run(JSON.stringify(factors), met, now(), session.id);
      onChange(session.userId);
      return find(session.userId, session.id) ?? session;
    },
    remove(session) {
      remove.run(session.id);
      onChange(session.userId);
    },
    removeAll(userId, keep = '') {
      removeAll.run(userId, keep);
      onChange(userId);
    },
  };
}
