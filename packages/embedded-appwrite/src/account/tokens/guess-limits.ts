/** Limits guesses per network, and guesses of six-digit codes also per account (arithmetic in `docs/security.md`). */
import type { RateLimit } from '../../http/route.ts';
import type { UserRecords } from '../user-records.ts';

const DAY = 86_400;
const CODES_A_DAY = 20;

/** Limits a network's wrong secrets and unknown ids across all routes that take a secret. */
export const WRONG_SECRETS: RateLimit = { limit: 60, window: 600, counter: 'wrong secrets', counts: 'failures' };

/** Limits how often per day a network may learn whether an address has an account. */
export const ACCOUNT_PROBES: RateLimit = { limit: 20, window: DAY, counter: 'account probes', counts: 'failures' };

const WRONG_CODES = { limit: CODES_A_DAY, window: DAY, counts: 'failures' } as const;

const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** Limits wrong sign-in codes per account. Passwords and emailed links keep working beyond the limit. */
const WRONG_SIGN_IN_CODES: RateLimit = {
  ...WRONG_CODES,
  counter: 'wrong sign-in codes',
  refusal:
    'Too many wrong codes were tried for this account, so codes are off until midnight (UTC). Sign in with your password or by a link.',
};

/** Returns the limit for routes that take a sign-in code. Codes for unknown users count only towards network limits. */
export const signInCodeGuesses = (users: Pick<UserRecords, 'byId'>): RateLimit => ({
  ...WRONG_SIGN_IN_CODES,
  bodyKey: ({ param }) => (isCode(param('secret')) ? users.byId(param('userId'))?.id : undefined),
});

/**
 * Returns the limit after which no more sign-in codes are emailed to an account until midnight (UTC).
 */
export const signInCodesStopped = (users: Pick<UserRecords, 'byEmail'>): RateLimit => ({
  ...WRONG_SIGN_IN_CODES,
  bodyKey: ({ param }) => users.byEmail(param('email').trim().toLowerCase())?.id,
});

/** Limits wrong second-factor codes. Recovery codes are too long to guess, so they keep working. */
export const SECOND_FACTOR_GUESSES: RateLimit = {
  ...WRONG_CODES,
  counter: 'wrong second factors',
  refusal:
    'Too many wrong codes were tried for this account, so codes are off until midnight (UTC). Use a recovery code instead.',
  bodyKey: ({ param, userId }) => (isCode(param('otp').trim()) ? userId : undefined),
};
