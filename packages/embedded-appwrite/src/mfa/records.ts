/** The tables of authenticators, recovery codes and challenges. Everything that writes runs inside `store.write`. */
import { randomBytes } from 'node:crypto';
import { dateText, now, uniqueId } from '../identifiers.ts';
import type { Store } from '../sqlite/store.ts';
import { openColumn, sealColumn } from './sealed-column.ts';
import { stepOf } from './totp.ts';

export type Factor = 'email' | 'phone' | 'totp' | 'recoveryCode';

export interface Authenticator {
  /** Undefined when another server key sealed it: then no code is right. */
  readonly secret: string | undefined;
  readonly verified: boolean;
  readonly lastStep: number;
}

export interface Challenge {
  readonly id: string;
  readonly userId: string;
  readonly factor: Factor;
  /** SHA-256 of the mailed code. */
  readonly code: string;
  readonly createdAt: string;
  readonly expire: string;
}

export interface MfaRecords {
  authenticator(userId: string): Authenticator | undefined;
  /** A new one, not verified yet, in the place of another. */
  setAuthenticator(userId: string, secret: string): void;
  verifyAuthenticator(userId: string): void;
  /** Removes the recovery codes, too, which replace the authenticator's. False when there was none. */
  removeAuthenticator(userId: string): boolean;
  /** Uses a code of the verified authenticator up; false for a wrong one and one that was used. */
  spendTotp(userId: string, code: string): boolean;
  /** Removes the authenticator, the recovery codes and what is being asked. */
  removeEvery(userId: string): void;
  recoveryCodes(userId: string): string[];
  /** New codes in the place of others. */
  renewRecoveryCodes(userId: string): string[];
  /** Uses a recovery code up; false for one that is none. */
  spendRecoveryCode(userId: string, code: string): boolean;
  insertChallenge(challenge: { id?: string; userId: string; factor: Factor; code?: string }): Challenge;
  /** `undefined` when unknown, met, expired or another user's. */
  challenge(userId: string, id: string): Challenge | undefined;
  removeChallenge(id: string): void;
}

const CODES = 6;
/** Ten hex digits. */
const CODE_BYTES = 5;
const CHALLENGE_LIFE = 3_600_000;

/**
 * @param key seals what the columns hold, see `seal`.
 * @param onChange told the id of each user whose factors were changed.
 */
export function createMfaRecords(store: Store, key: Buffer, onChange: (userId: string) => void): MfaRecords {
  const run = (sql: string, ...values: (string | number)[]) => store.prepare(sql).run(...values);

  function authenticator(userId: string): Authenticator | undefined {
    const row = store.prepare('SELECT * FROM authenticators WHERE user_id = ?').get(userId);
    if (!row) return undefined;
    const secret = openColumn(row.secret as string, key, userId);
    return { secret, verified: row.verified === 1, lastStep: Number(row.last_step) };
  }

  function recoveryCodes(userId: string): string[] {
    const row = store.prepare('SELECT codes FROM recovery_codes WHERE user_id = ?').get(userId);
    return JSON.parse((row && openColumn(row.codes as string, key, userId)) ?? '[]');
  }

  function setRecoveryCodes(userId: string, codes: readonly string[]): void {
    const sealed = sealColumn(JSON.stringify(codes), key, userId);
    run('INSERT OR REPLACE INTO recovery_codes (user_id, codes) VALUES (?, ?)', userId, sealed);
  }

  return {
    authenticator,
    recoveryCodes,
    setAuthenticator(userId, secret) {
      const sealed = sealColumn(secret, key, userId);
      run('INSERT OR REPLACE INTO authenticators (user_id, secret) VALUES (?, ?)', userId, sealed);
      onChange(userId);
    },
    verifyAuthenticator(userId) {
      run('UPDATE authenticators SET verified = 1 WHERE user_id = ?', userId);
      onChange(userId);
    },
    removeAuthenticator(userId) {
      onChange(userId);
      run('DELETE FROM recovery_codes WHERE user_id = ?', userId);
      return run('DELETE FROM authenticators WHERE user_id = ?', userId).changes > 0;
    },
    removeEvery(userId) {
      onChange(userId);
      for (const table of ['authenticators', 'recovery_codes', 'challenges']) {
        run(`DELETE FROM ${table} WHERE user_id = ?`, userId);
      }
    },
    spendTotp(userId, code) {
      const found = authenticator(userId);
      const step = found?.verified && found.secret ? stepOf(found.secret, code, Date.now(), found.lastStep) : undefined;
      if (step === undefined) return false;
      run('UPDATE authenticators SET last_step = ? WHERE user_id = ?', step, userId);
      return true;
    },
    renewRecoveryCodes(userId) {
      const codes = Array.from({ length: CODES }, () => randomBytes(CODE_BYTES).toString('hex'));
      setRecoveryCodes(userId, codes);
      return codes;
    },
    spendRecoveryCode(userId, code) {
      const codes = recoveryCodes(userId);
      const typed = code.trim().toLowerCase();
      const left = codes.filter((each) => each !== typed);
      if (left.length === codes.length) return false;
      setRecoveryCodes(userId, left);
      return true;
    },
    insertChallenge({ id = uniqueId(), userId, factor, code = '' }) {
      run('DELETE FROM challenges WHERE expire <= ?', now());
      const createdAt = now();
      const expire = dateText(Date.now() + CHALLENGE_LIFE);
      run(
        'INSERT INTO challenges (id, user_id, factor, code, created_at, expire) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, userId, factor, code, createdAt, expire],
      );
      return { id, userId, factor, code, createdAt, expire };
    },
    challenge(userId, id) {
      const row = store
        .prepare(
          `SELECT id, user_id AS userId, factor, code, created_at AS createdAt, expire FROM challenges
           WHERE id = ? AND user_id = ? AND expire > ?`,
        )
        .get(id, userId, now());
      return row && (row as unknown as Challenge);
    },
    removeChallenge: (id) => void run('DELETE FROM challenges WHERE id = ?', id),
  };
}
