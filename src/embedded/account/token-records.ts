/** One-time tokens: sign-in on behalf of a user, password recovery, e-mail verification. Writes run inside `store.write`. */
import { dateText, now, uniqueId } from '../identifiers.ts';
import type { Store } from '../sqlite/store.ts';
import { digestOf } from './secret.ts';

export type TokenType = 'generic' | 'recovery' | 'verification';

export interface TokenRecord {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly expire: string;
}

export interface TokenRecords {
  /** @param lifetime seconds. */
  insert(token: { userId: string; type: TokenType; secret: string; lifetime: number }): TokenRecord;
  /** The token, which is good no more after this; `undefined` when unknown, expired or used. */
  consume(userId: string, type: TokenType, secret: string): TokenRecord | undefined;
}

export function createTokenRecords(store: Store): TokenRecords {
  const insert = store.database.prepare(`
    INSERT INTO tokens (id, user_id, type, secret, created_at, expire)
    VALUES (:id, :userId, :type, :secret, :createdAt, :expire)`);
  const consume = store.database.prepare(`
    DELETE FROM tokens WHERE user_id = ? AND type = ? AND secret = ? AND expire > ?
    RETURNING id, user_id AS userId, created_at AS createdAt, expire`);
  const removeExpired = store.database.prepare('DELETE FROM tokens WHERE expire <= ?');
  return {
    insert({ userId, type, secret, lifetime }) {
      removeExpired.run(now());
      const token = { id: uniqueId(), userId, createdAt: now(), expire: dateText(Date.now() + lifetime * 1000) };
      insert.run({ ...token, type, secret: digestOf(secret) });
      return token;
    },
    consume: (userId, type, secret) => consume.get(userId, type, digestOf(secret), now()) as TokenRecord | undefined,
  };
}

/** @param secret shown to keys only. */
export function tokenJson(token: TokenRecord, secret = ''): Record<string, unknown> {
  return {
    $id: token.id,
    $createdAt: token.createdAt,
    userId: token.userId,
    secret,
    expire: token.expire,
    phrase: '',
  };
}
