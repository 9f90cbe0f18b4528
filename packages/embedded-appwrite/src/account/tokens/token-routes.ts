/**
 * Routes for signing in with an emailed code or link, or with a token created with a server key (contract part 2,
 * section 4). Requesting a code or link creates the account if it does not exist.
 */
import { randomInt } from 'node:crypto';
import { AppwriteError } from '../../http/errors.ts';
import { boolean, customId, email, optional, required, text, uid } from '../../http/params.ts';
import { type RateLimit, type Route, type RouteContext, route } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import { mailLink } from '../../mail/mail.ts';
import type { Accounts } from '../accounts.ts';
import { redirectUrl } from '../params.ts';
import { openSession, type Proof } from '../sessions/open-session.ts';
import { signInCodeGuesses, signInCodesStopped, WRONG_SECRETS } from './guess-limits.ts';
import { HOUR, mailToken, requireMail } from './mailed-tokens.ts';
import { MAGIC_SECRET, mailCode, tokenSecret } from './secret.ts';
import type { TokenType } from './token-records.ts';

/** Lifetime of an emailed code in seconds. */
const CODE_LIFETIME = 900;

const ADJECTIVES =
  'amber brave bright calm clever cosy crisp curious dapper eager early faithful fancy fearless gentle glad golden graceful happy honest humble jolly keen kind lively loyal lucky mellow merry mild modest neat nimble noble patient playful polite proud quick quiet rapid rustic serene sharp shiny silent simple sincere sleepy smooth snug solid spry steady sturdy sunny swift tender thrifty tidy vivid warm witty';
const NOUNS =
  'anchor apple badger basket beacon bison bridge candle canyon cedar cherry clover comet compass copper cricket daisy dolphin ember falcon feather fern finch garden ginger glacier harbor hazel heron island ivory jasmine kettle kestrel lantern lemon lilac lizard maple marble meadow mirror mitten oyster otter paddle panda pebble pepper pigeon planet puffin quartz raven ribbon river saddle salmon sparrow teapot tulip violet walnut zebra';

const PROOFS = {
  generic: { provider: 'token', factors: ['token'], provesAddress: false },
  email: { provider: 'token', factors: ['email'], provesAddress: true },
  'magic-url': { provider: 'magic-url', factors: ['email'], provesAddress: true },
} as const satisfies Partial<Record<TokenType, Pick<Proof, 'provider' | 'factors'> & { provesAddress: boolean }>>;

type SignInType = keyof typeof PROOFS;
const TYPES = Object.keys(PROOFS) as SignInType[];

const SESSION_ADDRESSES = [
  { method: 'POST', path: '/account/sessions/token' },
  { method: 'PUT', path: '/account/sessions/magic-url' },
  { method: 'PUT', path: '/account/sessions/phone' },
] as const;

function securityPhrase(): string {
  const [adjective, noun] = [ADJECTIVES, NOUNS].map((words) => {
    const all = words.split(' ');
    return all[randomInt(all.length)] as string;
  }) as [string, string];
  return `${adjective.charAt(0).toUpperCase()}${adjective.slice(1)} ${noun}`;
}

function mailLimits(limit: number): RateLimit[] {
  return [{ limit, bodyKey: ({ param }) => `email ${param('email').trim().toLowerCase()}` }, { limit }];
}

export function tokenRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { users, tokens, proveAddress } = accounts;
  const newcomer = { userId: required(customId()), email: required(email()), phrase: optional(boolean(), false) };

  function mailSignIn(context: RouteContext<{ userId: string; email: string; phrase: boolean; url?: string }>) {
    requireMail(kernel, 'SMTP disabled');
    const { email, url, ...params } = context.params;
    const isCode = url === undefined;
    const secret = isCode ? mailCode() : tokenSecret(MAGIC_SECRET);
    const to = { address: email };
    return mailToken(kernel, accounts, context, {
      type: isCode ? 'email' : 'magic-url',
      lifetime: isCode ? CODE_LIFETIME : HOUR,
      secret,
      phrase: params.phrase ? securityPhrase() : undefined,
      user: () => users.byEmail(email) ?? users.insert({ id: params.userId, email }),
      mail({ expire, userId }) {
        if (isCode) return { kind: 'otp', to, code: secret };
        const { projectId: project } = kernel.options;
        return { kind: 'magic-url', to, link: mailLink(url, { userId, secret, expire, project }) };
      },
    });
  }

  function prove(userId: string, secret: string): Proof {
    const token = tokens.find(userId, TYPES, secret);
    const user = token && users.byId(userId);
    if (!user) throw new AppwriteError('user_invalid_token');
    if (!user.status) throw new AppwriteError('user_blocked');
    tokens.remove(token);
    const { provider, factors, provesAddress } = PROOFS[token.type as SignInType];
    if (provesAddress) proveAddress(userId);
    return { userId, provider, providerUid: '', factors };
  }

  const sessionLimits: RateLimit[] = [
    {
      limit: 10,
      counter: 'token session',
      bodyKey: ({ ip, param }) => `${ip} ${param('userId')}`,
      resetOnSuccess: true,
    },
    WRONG_SECRETS,
    signInCodeGuesses(users),
  ];

  return [
    ...SESSION_ADDRESSES.map((address) =>
      route({
        ...address,
        whenFull: true,
        scope: 'sessions.write',
        group: 'session',
        limits: sessionLimits,
        params: { userId: required(uid()), secret: required(text(256)) },
        handle(context) {
          const { userId, secret } = context.params;
          return openSession(kernel, accounts, context, () => prove(userId, secret));
        },
      }),
    ),
    route({
      method: 'POST',
      path: '/account/tokens/email',
      scope: 'sessions.write',
      limits: [...mailLimits(10), signInCodesStopped(users)],
      params: newcomer,
      handle: mailSignIn,
    }),
    route({
      method: 'POST',
      path: '/account/tokens/magic-url',
      aliases: ['/account/sessions/magic-url'],
      scope: 'sessions.write',
      limits: mailLimits(60),
      params: { ...newcomer, url: required(redirectUrl(kernel)) },
      handle: mailSignIn,
    }),
  ];
}
