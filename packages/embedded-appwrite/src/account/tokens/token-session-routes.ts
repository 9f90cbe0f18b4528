/** Creates sessions from one-time tokens (contract, part 2, 4): three paths, one action. */
import { AppwriteError } from '../../http/errors.ts';
import { required, text, uid } from '../../http/params.ts';
import { type BodyLimitInput, type Route, route } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import type { Accounts } from '../accounts.ts';
import { openSession, type Proof } from '../sessions/open-session.ts';
import { signInCodeGuesses, WRONG_SECRETS } from './guess-limits.ts';
import type { TokenType } from './token-records.ts';

const PROOFS = {
  generic: { provider: 'token', factors: ['token'], provesAddress: false },
  email: { provider: 'token', factors: ['email'], provesAddress: true },
  'magic-url': { provider: 'magic-url', factors: ['email'], provesAddress: true },
} as const satisfies Partial<Record<TokenType, Pick<Proof, 'provider' | 'factors'> & { provesAddress: boolean }>>;

type SignInType = keyof typeof PROOFS;
const TYPES = Object.keys(PROOFS) as SignInType[];

const ADDRESSES = [
  { method: 'POST', path: '/account/sessions/token' },
  { method: 'PUT', path: '/account/sessions/magic-url' },
  { method: 'PUT', path: '/account/sessions/phone' },
] as const;

export function tokenSessionRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { users, tokens, proveAddress } = accounts;
  const limits = [
    {
      limit: 10,
      counter: 'token session',
      bodyKey: ({ ip, param }: BodyLimitInput) => `${ip} ${param('userId')}`,
      resetOnSuccess: true,
    },
    WRONG_SECRETS,
    signInCodeGuesses(users),
  ];

  /** Uses up the token. Throws 401 for an invalid token, 403 for a blocked user. */
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

  return ADDRESSES.map((address) =>
    route({
      ...address,
      whenFull: true,
      scope: 'sessions.write',
      group: 'session',
      limits,
      params: { userId: required(uid()), secret: required(text(256)) },
      handle(context) {
        const { userId, secret } = context.params;
        return openSession(kernel, accounts, context, () => prove(userId, secret));
      },
    }),
  );
}
