/** Verification of an e-mail address (contract, part 2, 3) by a mailed link, which needs no session. */
import { AppwriteError } from '../../http/errors.ts';
import { required, text, uid } from '../../http/params.ts';
import { type RateLimit, type Route, route } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import { mailLink } from '../../mail/link.ts';
import type { Accounts } from '../accounts.ts';
import { redirectUrl } from '../params.ts';
import { signedInUser } from '../profile-routes.ts';
import { emitUserChange } from '../user-events.ts';
import { WRONG_SECRETS } from './guess-limits.ts';
import { emitToken, tokenAnswer, writeMailedToken } from './mailed-tokens.ts';
import { LONG_SECRET, tokenSecret } from './secret.ts';
import { tokenJson } from './token-records.ts';

/** Seconds. */
const HOUR = 3600;

const PATHS = { path: '/account/verifications/email', aliases: ['/account/verification'] } as const;
/**
 * Counts requested mails and used links together, per user and network, so that strangers cannot use up the user's
 * attempts.
 */
const LIMIT: RateLimit = { limit: 10, counter: 'verification' };

export function verificationRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, tokens } = accounts;
  return [
    route({
      method: 'POST',
      ...PATHS,
      scope: 'account',
      limits: [
        { ...LIMIT, key: ({ ip, userId }) => `${ip} ${userId}` },
        // Limits a user's mails across all networks.
        { limit: 10, key: ({ userId }) => userId },
      ],
      params: { url: required(redirectUrl(kernel)) },
      async handle(context) {
        const { params, caller } = context;
        const { id } = signedInUser(caller);
        const secret = tokenSecret(LONG_SECRET);
        const token = await writeMailedToken(kernel, accounts, context, {
          type: 'verification',
          secret,
          lifetime: HOUR,
          user() {
            // Reads the address again: the token proves the one the mail goes to.
            const user = users.require(id);
            if (user.email === '') throw new AppwriteError('user_email_not_found');
            if (user.emailVerification) throw new AppwriteError('user_email_already_verified');
            return user;
          },
          mail: ({ expire }, user) => ({
            kind: 'verification',
            to: { address: user.email, name: user.name },
            link: mailLink(params.url, { userId: user.id, secret, expire }),
          }),
        });
        emitToken(kernel, caller, 'verification', token, secret);
        return tokenAnswer(caller, token, secret);
      },
    }),
    route({
      method: 'PUT',
      ...PATHS,
      scope: 'public',
      limits: [{ ...LIMIT, bodyKey: ({ ip, param }) => `${ip} ${param('userId')}` }, WRONG_SECRETS],
      params: { userId: required(uid()), secret: required(text(256)) },
      async handle({ params: { userId, secret }, caller }) {
        const token = await store.write(() => {
          users.require(userId);
          const found = tokens.find(userId, ['verification'], secret);
          if (!found) throw new AppwriteError('user_invalid_token');
          tokens.remove(found);
          users.change(userId, { emailVerification: true });
          return found;
        });
        const resource = { kind: 'verification', id: token.id } as const;
        emitUserChange(events, caller, { userId, resource, action: 'update', payload: tokenJson(token) });
        return { status: 200, body: tokenJson(token) };
      },
    }),
  ];
}
