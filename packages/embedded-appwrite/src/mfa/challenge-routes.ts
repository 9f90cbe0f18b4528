/** Routes for requesting and passing second-factor challenges (contract part 2, section 8). */
import { timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../account/accounts.ts';
import { signedInUser } from '../account/profile-routes.ts';
import { sessionJson } from '../account/sessions/session.ts';
import { SECOND_FACTOR_GUESSES, WRONG_SECRETS } from '../account/tokens/guess-limits.ts';
import { requireMail } from '../account/tokens/mailed-tokens.ts';
import { digestOf, mailCode } from '../account/tokens/secret.ts';
import type { UserRecord } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { header } from '../http/access/credentials.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, text, uid, validator } from '../http/params.ts';
import { created, ok, type Route, route } from '../http/route.ts';
import { now, uniqueId } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { type MailLanguage, mailLanguage } from '../mail/texts.ts';
import { factorsOf, withFactor } from './factors.ts';
import type { Challenge, Factor } from './records.ts';

const PATH = '/account/mfa/challenges';
const ALIASES = ['/account/mfa/challenge'];
const FACTORS: readonly Factor[] = ['email', 'phone', 'totp', 'recoveryCode'];
/** Lifetime of an emailed code in milliseconds. */
const CODE_LIFE = 900_000;

const APP_ONLY = 'This account has an authenticator app: a code by mail is not accepted as its second factor.';

/** Ignores case: SDKs send `recoverycode`, whereas the server's own name is `recoveryCode`. */
const factorName = validator('Value must be one of (email, phone, totp, recoverycode)', (raw) =>
  typeof raw === 'string' ? FACTORS.find((factor) => factor.toLowerCase() === raw.toLowerCase()) : undefined,
);

function challengeJson({ id, createdAt, userId, expire }: Challenge): Record<string, unknown> {
  return { $id: id, $createdAt: createdAt, userId, expire };
}

/** Salts the digest with the challenge's id; otherwise, digests of all million codes could be precomputed. */
const codeDigest = (id: string, code: string): string => digestOf(`${id} ${code}`);

function isCodeOf({ id, code, createdAt }: Challenge, given: string): boolean {
  if (code === '' || Date.now() - Date.parse(createdAt) > CODE_LIFE) return false;
  return timingSafeEqual(Buffer.from(code), Buffer.from(codeDigest(id, given)));
}

export function challengeRoutes(kernel: Kernel, { sessions, mfa: records }: Accounts): Route[] {
  const { store, events } = kernel;

  function mailed(user: UserRecord, language: MailLanguage): Promise<Challenge> {
    const mail = requireMail(kernel);
    if (user.email === '') throw new AppwriteError('user_email_not_found');
    if (!user.emailVerification) throw new AppwriteError('user_email_not_verified');
    if (!factorsOf(records, user).email) throw new AppwriteError('general_bad_request', APP_ONLY);
    const [id, code] = [uniqueId(), mailCode()];
    return mail.write((enqueue) => {
      enqueue({ kind: 'mfa', language, to: { address: user.email }, code });
      return records.insertChallenge({ id, userId: user.id, factor: 'email', code: codeDigest(id, code) });
    });
  }

  function isMet(challenge: Challenge, user: UserRecord, otp: string): boolean {
    switch (challenge.factor) {
      case 'totp':
        return records.spendTotp(challenge.userId, otp);
      case 'recoveryCode':
        return records.spendRecoveryCode(challenge.userId, otp);
      case 'email':
        // A user who has set up an authenticator since the email was sent may no longer use email as a second factor.
        return factorsOf(records, user).email && isCodeOf(challenge, otp);
      case 'phone':
        return false;
    }
  }

  return [
    route({
      method: 'POST',
      path: PATH,
      aliases: ALIASES,
      scope: 'account',
      whenFull: true,
      whileFactorOwed: true,
      limits: [{ limit: 10, key: ({ userId }) => userId }],
      params: { factor: required(factorName) },
      async handle({ params: { factor }, caller, request }) {
        const user = signedInUser(caller);
        if (factor === 'phone') throw new AppwriteError('general_phone_disabled');
        const challenge =
          factor === 'email'
            ? await mailed(user, mailLanguage(header(request, 'x-appwrite-locale') ?? kernel.options.mailLocale?.()))
            : await store.writeThoughFull(() => records.insertChallenge({ userId: user.id, factor }));
        const payload = challengeJson(challenge);
        const resource = { kind: 'challenges', id: challenge.id } as const;
        emitUserChange(events, caller, { userId: user.id, resource, action: 'create', payload });
        return created(payload);
      },
    }),

    route({
      method: 'PUT',
      path: PATH,
      aliases: ALIASES,
      scope: 'account',
      whenFull: true,
      whileFactorOwed: true,
      limits: [
        { limit: 10, bodyKey: ({ param, userId }) => `${userId} ${param('challengeId')}` },
        WRONG_SECRETS,
        SECOND_FACTOR_GUESSES,
      ],
      params: { challengeId: required(uid()), otp: required(text(256)) },
      async handle({ params: { challengeId, otp }, caller }) {
        const user = signedInUser(caller);
        const session = await store.writeThoughFull(() => {
          const challenge = records.challenge(user.id, challengeId);
          const own = caller.sessionId === undefined ? undefined : sessions.find(user.id, caller.sessionId);
          if (!own) throw new AppwriteError('user_session_not_found');
          if (!challenge || !isMet(challenge, user, otp)) throw new AppwriteError('user_invalid_token');
          records.removeChallenge(challenge.id);
          return sessions.setFactors(own, withFactor(own.factors, challenge.factor), now());
        });
        return ok(sessionJson(session, { current: true }));
      },
    }),
  ];
}
