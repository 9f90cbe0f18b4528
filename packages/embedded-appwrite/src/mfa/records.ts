/** The tables of authenticators, recovery codes and challenges. Methods that write must run inside `store.write`. */
import { randomBytes } from 'node:crypto';
import { dateText, now, uniqueId } from '../identifiers.ts';
import type { Store } from '../sqlite/store.ts';
import { flag, integer, type RecordOf, table, text, textOf } from '../sqlite/table.ts';
import { openColumn, sealColumn } from './sealed-column.ts';
import { stepOf } from './totp.ts';

export type Factor = 'email' | 'phone' | 'totp' | 'recoveryCode';

const CHALLENGE_COLUMNS = {
  id: text,
  userId: text,
  factor: textOf<Factor>(),
  /** SHA-256 of the challenge's id and the emailed code, in hex; empty for factors other than email. */
  code: text,
  createdAt: text,
  expire: text,
};
const CHALLENGES = table('challenges', CHALLENGE_COLUMNS);
const AUTHENTICATORS = table('authenticators', { userId: text, secret: text, verified: flag, lastStep: integer });
const RECOVERY_CODES = table('recovery_codes', { userId: text, codes: text });

export type Challenge = RecordOf<typeof CHALLENGE_COLUMNS>;

export interface Authenticator {
  /** Undefined if the secret was encrypted with another server key; in that case, no code matches. */
  readonly secret: string | undefined;
  readonly verified: boolean;
  readonly lastStep: number;
}

const CODES = 6;
const CODE_BYTES = 5;
const CHALLENGE_LIFE_MS = 3_600_000;

export type MfaRecords = ReturnType<typeof createMfaRecords>;

/** @param key encrypts the secret columns, see `seal` */
export function createMfaRecords(store: Store, key: Buffer, onChange: (userId: string) => void) {
  function authenticator(userId: string): Authenticator | undefined {
    const row = AUTHENTICATORS.get(store, { userId });
    return row && { ...row, secret: openColumn(row.secret, key, userId) };
  }

  function recoveryCodes(userId: string): string[] {
    const row = RECOVERY_CODES.get(store, { userId });
    return JSON.parse((row && openColumn(row.codes, key, userId)) ?? '[]');
  }

  function setRecoveryCodes(userId: string, codes: readonly string[]): void {
    RECOVERY_CODES.delete(store, { userId });
    RECOVERY_CODES.insert(store, { userId, codes: sealColumn(JSON.stringify(codes), key, userId) });
  }

  return {
    authenticator,
    recoveryCodes,
    setAuthenticator(userId: string, secret: string): void {
      AUTHENTICATORS.delete(store, { userId });
      AUTHENTICATORS.insert(store, { userId, secret: sealColumn(secret, key, userId) });
      onChange(userId);
    },
    verifyAuthenticator(userId: string): void {
      AUTHENTICATORS.update(store, { userId }, { verified: true });
      onChange(userId);
    },
    /** Removes the user's authenticator and recovery codes. Returns false if there was no authenticator. */
    removeAuthenticator(userId: string): boolean {
      onChange(userId);
      RECOVERY_CODES.delete(store, { userId });
      return AUTHENTICATORS.delete(store, { userId }) > 0;
    },
    /** Uses up a code from the user's verified authenticator. Returns false for a wrong or used code. */
    spendTotp(userId: string, code: string): boolean {
      const found = authenticator(userId);
      const step = found?.verified && found.secret ? stepOf(found.secret, code, Date.now(), found.lastStep) : undefined;
      if (step === undefined) return false;
      AUTHENTICATORS.update(store, { userId }, { lastStep: step });
      return true;
    },
    removeEvery(userId: string): void {
      onChange(userId);
      for (const each of [AUTHENTICATORS, RECOVERY_CODES, CHALLENGES]) each.delete(store, { userId });
    },
    renewRecoveryCodes(userId: string): string[] {
      const codes = Array.from({ length: CODES }, () => randomBytes(CODE_BYTES).toString('hex'));
      setRecoveryCodes(userId, codes);
      return codes;
    },
    spendRecoveryCode(userId: string, code: string): boolean {
      const codes = recoveryCodes(userId);
      const typed = code.trim().toLowerCase();
      const left = codes.filter((each) => each !== typed);
      if (left.length === codes.length) return false;
      setRecoveryCodes(userId, left);
      return true;
    },
    insertChallenge(challenge: { id?: string; userId: string; factor: Factor; code?: string }): Challenge {
      store.prepare('DELETE FROM challenges WHERE expire <= ?').run(now());
      const expire = dateText(Date.now() + CHALLENGE_LIFE_MS);
      const record = { id: uniqueId(), code: '', ...challenge, createdAt: now(), expire };
      CHALLENGES.insert(store, record);
      return record;
    },
    /** Returns `undefined` for a challenge that is unknown, passed, expired or another user's. */
    challenge(userId: string, id: string): Challenge | undefined {
      const found = CHALLENGES.get(store, { id, userId });
      return found && found.expire > now() ? found : undefined;
    },
    removeChallenge: (id: string): void => void CHALLENGES.delete(store, { id }),
  };
}
