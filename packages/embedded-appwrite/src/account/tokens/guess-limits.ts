/**
 * Limits guessing: every guess counts for its network, and a guess of a six-digit code for the account too, from any
 * network. The calculation is in `docs/security.md`.
 */
import type { BodyLimitInput, RateLimit } from '../../http/route.ts';
import type { UserRecords } from '../user-records.ts';

const DAY = 86_400;
const CODES_A_DAY = 20;

/** Limits wrong secrets and unknown ids of a network, over all routes that take one. */
export const WRONG_SECRETS: RateLimit = { limit: 60, window: 600, counter: 'wrong secrets', counts: 'failures' };

/** Limits the answers in a day that tell a network whether an address has an account. */
export const ACCOUNT_PROBES: RateLimit = { limit: 20, window: DAY, counter: 'account probes', counts: 'failures' };

const WRONG_CODES = { limit: CODES_A_DAY, window: DAY, counts: 'failures' } as const;

const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** Limits codes that sign an account in. The password and links, which cannot be guessed, keep working. */
const WRONG_SIGN_IN_CODES: RateLimit = {
  ...WRONG_CODES,
  counter: 'wrong sign-in codes',
  refusal:
    'Too many wrong codes were tried for this account, so codes are off until midnight (UTC). Sign in with your password or by a link.',
};

/** The limit for routes that take a code. Unknown ids get no counter and count for their network. */
export const signInCodeGuesses = (users: Pick<UserRecords, 'byId'>): RateLimit => ({
  ...WRONG_SIGN_IN_CODES,
  bodyKey: ({ param }) => (isCode(param('secret')) ? users.byId(param('userId'))?.id : undefined),
});

/** Limits the route that mails codes: it sends none that would be refused. */
export const signInCodesStopped = (users: Pick<UserRecords, 'byEmail'>): RateLimit => ({
  ...WRONG_SIGN_IN_CODES,
  bodyKey: ({ param }) => users.byEmail(param('email').trim().toLowerCase())?.id,
});

/** Limits codes as a second factor. Recovery codes, which cannot be guessed, keep working. */
export const SECOND_FACTOR_GUESSES: RateLimit = {
  ...WRONG_CODES,
  counter: 'wrong second factors',
  refusal:
    'Too many wrong codes were tried for this account, so codes are off until midnight (UTC). Use a recovery code instead.',
  bodyKey: ({ param, userId }: BodyLimitInput) => (isCode(param('otp').trim()) ? userId : undefined),
};
