/** One-time tokens of all kinds. Several of a kind may be good side by side. Writes run inside `store.write`. */
import { createHmac } from 'node:crypto';
import { dateText, now, uniqueId } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { digestOf } from './secret.ts';

/** `generic`: made by a server key for whoever it gives the secret to. `email`: six digits that are mailed. */
export type TokenType = 'generic' | 'email' | 'magic-url' | 'recovery' | 'verification';

export interface TokenRecord {
  readonly id: string;
  readonly userId: string;
  readonly type: TokenType;
  readonly createdAt: string;
  readonly expire: string;
}

export interface TokenRecords {
  /** @param lifetime seconds. */
  insert(token: { userId: string; type: TokenType; secret: string; lifetime: number }): TokenRecord;
  /** The token, which goes on being good; `undefined` when unknown, expired, used, another user's or of another type. */
  find(userId: string, types: readonly TokenType[], secret: string): TokenRecord | undefined;
  /** It is good no more after this. */
  remove(token: TokenRecord): void;
  removeAll(userId: string, types: readonly TokenType[]): void;
  /** Ends all tokens of the user and the links of open invitations. */
  removeEvery(userId: string): void;
  /** Ends whatever went to the user's e-mail address, invitations too: it proves nothing of another one. */
  removeMailed(userId: string): void;
}

/** @param codeKey without it the digest of six digits is found by trying all of them. */
export function createTokenRecords(store: Store, codeKey: Buffer): TokenRecords {
  const insert = store.database.prepare(`
    INSERT INTO tokens (id, user_id, type, secret, created_at, expire)
    VALUES (:id, :userId, :type, :digest, :createdAt, :expire)`);
  const find = store.database.prepare(`
    SELECT id, user_id AS userId, type, created_at AS createdAt, expire FROM tokens
    WHERE user_id = ? AND type = ? AND secret = ? AND expire > ?`);
  const remove = store.database.prepare('DELETE FROM tokens WHERE id = ?');
  const removeAll = store.database.prepare('DELETE FROM tokens WHERE user_id = ? AND type = ?');
  const removeEvery = store.database.prepare('DELETE FROM tokens WHERE user_id = ?');
  const removeMailed = store.database.prepare("DELETE FROM tokens WHERE user_id = ? AND type <> 'generic'");
  // No secret has an empty digest. The invitation itself stays, for the team to send again.
  const endInvitations = store.database.prepare(
    "UPDATE memberships SET secret = '' WHERE user_id = ? AND confirmed = 0",
  );
  const removeExpired = store.database.prepare('DELETE FROM tokens WHERE expire <= ?');

  /** What the database keeps of a secret. */
  function digest(type: TokenType, userId: string, secret: string): string {
    return type === 'email'
      ? createHmac('sha256', codeKey).update(`${userId} ${secret}`).digest('hex')
      : digestOf(secret);
  }

  return {
    insert({ userId, type, secret, lifetime }) {
      removeExpired.run(now());
      const expire = dateText(Date.now() + lifetime * 1000);
      const token: TokenRecord = { id: uniqueId(), userId, type, createdAt: now(), expire };
      insert.run({ ...token, digest: digest(type, userId, secret) });
      return token;
    },
    find(userId, types, secret) {
      for (const type of types) {
        const row = find.get(userId, type, digest(type, userId, secret), now());
        if (row) return { ...row } as unknown as TokenRecord;
      }
      return undefined;
    },
    remove: ({ id }) => void remove.run(id),
    removeAll(userId, types) {
      for (const type of types) removeAll.run(userId, type);
    },
    removeEvery(userId) {
      removeEvery.run(userId);
      endInvitations.run(userId);
    },
    removeMailed(userId) {
      removeMailed.run(userId);
      endInvitations.run(userId);
    },
  };
}

export interface ShownToken {
  /** Shown to keys and webhooks only. */
  readonly secret?: string;
  readonly phrase?: string;
}

/** The contract's Token model. */
export function tokenJson(token: TokenRecord, { secret = '', phrase = '' }: ShownToken = {}): Record<string, unknown> {
  return {
    $id: token.id,
    $createdAt: token.createdAt,
    userId: token.userId,
    secret,
    expire: token.expire,
    phrase,
  };
}
