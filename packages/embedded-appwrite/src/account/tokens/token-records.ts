/** One-time tokens of all kinds. A user may have several of a kind. Writes run inside `store.write`. */
import { createHmac } from 'node:crypto';
import { dateText, now, uniqueId } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { type RecordOf, table, text, textOf } from '../../sqlite/table.ts';
import { digestOf } from './secret.ts';

/** `generic`: made by a server key. `email`: six digits that are mailed. */
export type TokenType = 'generic' | 'email' | 'magic-url' | 'recovery' | 'verification';

const COLUMNS = {
  id: text,
  userId: text,
  type: textOf<TokenType>(),
  /** The digest of the secret. */
  secret: text,
  createdAt: text,
  expire: text,
};
const TOKENS = table('tokens', COLUMNS);

export type TokenRecord = RecordOf<typeof COLUMNS>;
export type TokenRecords = ReturnType<typeof createTokenRecords>;

/** @param codeKey keeps a thief of the database from finding six digits by trying them all. */
export function createTokenRecords(store: Store, codeKey: Buffer) {
  const removeMailed = store.database.prepare("DELETE FROM tokens WHERE user_id = ? AND type <> 'generic'");
  // No secret has an empty digest. The invitation stays, so the team can send it again.
  const endInvitations = store.database.prepare(
    "UPDATE memberships SET secret = '' WHERE user_id = ? AND confirmed = 0",
  );
  const removeExpired = store.database.prepare('DELETE FROM tokens WHERE expire <= ?');

  function digest(type: TokenType, userId: string, secret: string): string {
    return type === 'email'
      ? createHmac('sha256', codeKey).update(`${userId} ${secret}`).digest('hex')
      : digestOf(secret);
  }

  return {
    /** @param lifetime seconds. */
    insert(token: { userId: string; type: TokenType; secret: string; lifetime: number }): TokenRecord {
      const { userId, type, lifetime } = token;
      removeExpired.run(now());
      const record = {
        ...{ id: uniqueId(), userId, type },
        secret: digest(type, userId, token.secret),
        createdAt: now(),
        expire: dateText(Date.now() + lifetime * 1000),
      };
      TOKENS.insert(store, record);
      return record;
    },
    /** Returns the token, or `undefined` when it is unknown, expired, used, another user's or of another type. */
    find(userId: string, types: readonly TokenType[], secret: string): TokenRecord | undefined {
      return types
        .flatMap((type) => TOKENS.list(store, { userId, type, secret: digest(type, userId, secret) }))
        .find(({ expire }) => expire > now());
    },
    remove: ({ id }: TokenRecord): void => void TOKENS.delete(store, { id }),
    removeAll(userId: string, types: readonly TokenType[]): void {
      for (const type of types) TOKENS.delete(store, { userId, type });
    },
    /** Ends all tokens of the user and the links of open invitations. */
    removeEvery(userId: string): void {
      TOKENS.delete(store, { userId });
      endInvitations.run(userId);
    },
    /** Ends what was mailed to the user's address, invitations too: it proves nothing of another address. */
    removeMailed(userId: string): void {
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
