/** Determines a user's second factors, and whether a session must still prove one (contract part 2, section 8). */
import type { SessionRecord } from '../account/sessions/session.ts';
import type { UserRecord } from '../account/user.ts';
import type { MfaRecords } from './records.ts';

export interface Factors {
  readonly totp: boolean;
  readonly phone: boolean;
  readonly email: boolean;
  readonly recoveryCode: boolean;
}

/** Returns the user's factors. Excludes email if there is an authenticator, because email can reset the password. */
export function factorsOf(records: MfaRecords, user: UserRecord): Factors {
  const totp = records.authenticator(user.id)?.verified === true;
  return {
    totp,
    phone: user.phone !== '' && user.phoneVerification,
    email: user.email !== '' && user.emailVerification && !totp,
    recoveryCode: records.recoveryCodes(user.id).length > 0,
  };
}

/** Returns the verified second factors, without recovery codes, under the names used in sessions. */
export function verifiedFactors(records: MfaRecords, user: UserRecord): ('totp' | 'email' | 'phone')[] {
  const factors = factorsOf(records, user);
  return (['totp', 'email', 'phone'] as const).filter((factor) => factors[factor]);
}

const ENOUGH = 2;

export function owesFactor(records: MfaRecords, user: UserRecord, session: Pick<SessionRecord, 'factors'>): boolean {
  return user.mfa && session.factors.length < ENOUGH && verifiedFactors(records, user).length > 0;
}

/** Adds `factor` to a session's factors. It may appear twice, e.g. email for signing in and as the second factor. */
export function withFactor(factors: readonly string[], factor: string): readonly string[] {
  return factors.includes(factor) && factors.length >= ENOUGH ? factors : [...factors, factor];
}
