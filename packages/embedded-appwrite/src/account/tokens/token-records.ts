/** One-time tokens; a user may have several of each type. Methods that write must run inside `store.write`. */
import { createHmac } from 'node:crypto';
import { dateText, now, uniqueId } from '../../identifiers.ts';
import type { Store } from '../../sqlite/store.ts';
import { type RecordOf, table, text, textOf } from '../../sqlite/table.ts';
import { digestOf } from './secret.ts';

/** `generic` is created with a server key; `email` is a six-digit code that is sent by email. */
export type TokenType = 'generic' | 'email' | 'magic-url' | 'recovery' | 'verification';

const COLUMNS = {
  id: text,
  userId: text,
  type: textOf<TokenType>(),
  secret: text,
  createdAt: text,
  expire: text,
};
const TOKENS = table('tokens', COLUMNS);

export type TokenRecord = RecordOf<typeof COLUMNS>;
export type TokenRecords = ReturnType<typeof createTokenRecords>;

/** @param codeKey HMAC key for six-digit codes; plain digests in a stolen database could be reversed by brute force */
export function createTokenRecords(store: Store, codeKey: Buffer) {
  const removeMailed = store.database.prepare("DELETE FROM tokens WHERE user_id = ? AND type <> 'generic'");
  // An empty digest matches no secret. The invitation itself stays, so that the team can resend it.
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
    /** `lifetime` is in seconds. */
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
    /** Returns `undefined` for a token that is unknown, expired, used, another user's or of another type. */
    find(userId: string, types: readonly TokenType[], secret: string): TokenRecord | undefined {
      return types
        .flatMap((type) => TOKENS.list(store, { userId, type, secret: digest(type, userId, secret) }))
        .find(({ expire }) => expire > now());
    },
    remove: ({ id }: TokenRecord): void => void TOKENS.delete(store, { id }),
    removeAll(userId: string, types: readonly TokenType[]): void {
      for (const type of types) TOKENS.delete(store, { userId, type });
    },
    /** Revokes all of a user's tokens and the links in the user's open invitations. */
    removeEvery(userId: string): void {
      TOKENS.delete(store, { userId });
      endInvitations.run(userId);
    },
    /** Revokes emailed tokens and invitation links when the address changes: they prove only the old address. */
    removeMailed(userId: string): void {
      removeMailed.run(userId);
      endInvitations.run(userId);
    },
  };
}

export interface ShownToken {
  readonly secret?: string;
  readonly phrase?: string;
}

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
