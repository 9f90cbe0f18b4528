/** Sign-in by mailed code or link (contract, part 2, 4), including for addresses without an account. */
import { boolean, customId, email, optional, required } from '../../http/params.ts';
import { type RateLimit, type Route, route } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import { mailLink } from '../../mail/link.ts';
import type { Accounts } from '../accounts.ts';
import { redirectUrl } from '../params.ts';
import type { UserRecord } from '../user.ts';
import { signInCodesStopped } from './guess-limits.ts';
import { requireMail, tokenAnswer, writeMailedToken } from './mailed-tokens.ts';
import { loginCode, MAGIC_SECRET, tokenSecret } from './secret.ts';
import { securityPhrase } from './security-phrase.ts';

/** Seconds. */
const CODE_LIFETIME = 900;
const LINK_LIFETIME = 3600;

const NO_SMTP = 'SMTP disabled';

function limits(limit: number): RateLimit[] {
  return [{ limit, bodyKey: ({ param }) => `email ${param('email').trim().toLowerCase()}` }, { limit }];
}

export function tokenRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { users } = accounts;

  /** Returns the user with this address, or creates one with the given id. Throws 409 when the id is taken. */
  const owner =
    ({ userId, email }: { userId: string; email: string }) =>
    (): UserRecord =>
      users.byEmail(email) ?? users.insert({ id: userId, email });

  return [
    route({
      method: 'POST',
      path: '/account/tokens/email',
      scope: 'sessions.write',
      limits: [...limits(10), signInCodesStopped(users)],
      params: { userId: required(customId()), email: required(email()), phrase: optional(boolean(), false) },
      async handle(context) {
        const { params, caller } = context;
        requireMail(kernel, NO_SMTP);
        const secret = loginCode();
        const phrase = params.phrase ? securityPhrase() : undefined;
        const token = await writeMailedToken(kernel, accounts, context, {
          type: 'email',
          secret,
          lifetime: CODE_LIFETIME,
          phrase,
          user: owner(params),
          mail: () => ({ kind: 'otp', to: { address: params.email }, code: secret }),
        });
        return tokenAnswer(caller, token, secret, phrase);
      },
    }),
    route({
      method: 'POST',
      path: '/account/tokens/magic-url',
      aliases: ['/account/sessions/magic-url'],
      scope: 'sessions.write',
      limits: limits(60),
      params: {
        userId: required(customId()),
        email: required(email()),
        url: required(redirectUrl(kernel)),
        phrase: optional(boolean(), false),
      },
      async handle(context) {
        const { params, caller } = context;
        requireMail(kernel, NO_SMTP);
        const secret = tokenSecret(MAGIC_SECRET);
        const phrase = params.phrase ? securityPhrase() : undefined;
        const project = kernel.options.projectId;
        const token = await writeMailedToken(kernel, accounts, context, {
          type: 'magic-url',
          secret,
          lifetime: LINK_LIFETIME,
          phrase,
          user: owner(params),
          mail: ({ expire, userId }) => ({
            kind: 'magic-url',
            to: { address: params.email },
            link: mailLink(params.url, { userId, secret, expire, project }),
          }),
        });
        return tokenAnswer(caller, token, secret, phrase);
      },
    }),
  ];
}
