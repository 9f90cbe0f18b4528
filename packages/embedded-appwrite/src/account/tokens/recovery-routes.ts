/** Password recovery (contract, part 2, 3): a mailed link that works once, within an hour. */
import { networkOf } from '@common-ink/http/client-address.ts';
import { AppwriteError } from '../../http/errors.ts';
import { email, required, text, uid } from '../../http/params.ts';
import { type Route, route } from '../../http/route.ts';
import { now } from '../../identifiers.ts';
import type { Kernel } from '../../kernel.ts';
import { mailLink } from '../../mail/link.ts';
import type { Accounts } from '../accounts.ts';
import { password, redirectUrl } from '../params.ts';
import { flowOf } from '../passwords/password-queue.ts';
import type { UserRecord } from '../user.ts';
import { emitUserChange } from '../user-events.ts';
import { ACCOUNT_PROBES, WRONG_SECRETS } from './guess-limits.ts';
import { emitToken, tokenAnswer, writeMailedToken } from './mailed-tokens.ts';
import { LONG_SECRET, tokenSecret } from './secret.ts';
import { type TokenRecord, tokenJson } from './token-records.ts';

/** Seconds. */
const HOUR = 3600;

export function recoveryRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, tokens, signOut, proveAddress, passwords, passwordMinimum, knownAddresses } = accounts;

  /** Throws 404 for an unknown user, 401 for an invalid token, 403 for a blocked user. */
  function proved(userId: string, secret: string): { user: UserRecord; token: TokenRecord } {
    const user = users.require(userId);
    const token = tokens.find(userId, ['recovery'], secret);
    if (!token) throw new AppwriteError('user_invalid_token');
    if (!user.status) throw new AppwriteError('user_blocked');
    return { user, token };
  }

  return [
    route({
      method: 'POST',
      path: '/account/recovery',
      scope: 'sessions.write',
      limits: [
        { limit: 10, bodyKey: ({ param }) => `email ${param('email').trim().toLowerCase()}` },
        { limit: 10 },
        ACCOUNT_PROBES,
      ],
      params: { email: required(email()), url: required(redirectUrl(kernel)) },
      async handle(context) {
        const { params, caller } = context;
        const secret = tokenSecret(LONG_SECRET);
        const token = await writeMailedToken(kernel, accounts, context, {
          type: 'recovery',
          secret,
          lifetime: HOUR,
          user() {
            const user = users.byEmail(params.email);
            if (!user) throw new AppwriteError('user_not_found');
            if (!user.status) throw new AppwriteError('user_blocked');
            return user;
          },
          mail: ({ expire }, user) => ({
            kind: 'recovery',
            to: { address: user.email, name: user.name },
            link: mailLink(params.url, { userId: user.id, secret, expire }),
          }),
        });
        emitToken(kernel, caller, 'recovery', token, secret);
        return tokenAnswer(caller, token, secret);
      },
    }),
    route({
      method: 'PUT',
      path: '/account/recovery',
      scope: 'sessions.write',
      // Counts per network, so that strangers cannot use up the user's attempts; the secret cannot be guessed.
      limits: [{ limit: 10, bodyKey: ({ ip, param }) => `${ip} ${param('userId')}` }, WRONG_SECRETS],
      params: {
        userId: required(uid()),
        secret: required(text(256)),
        password: required(password(passwordMinimum)),
      },
      async handle(context) {
        const { params, caller, client } = context;
        const { userId, secret } = params;
        // Checks the token before the expensive hash, but uses it up only afterwards: a refused hash can be retried.
        const { user } = proved(userId, secret);
        const hash = await passwords.hash(params.password, flowOf(context));
        const token = await store.write(() => {
          const { token } = proved(userId, secret);
          signOut(userId);
          proveAddress(userId);
          users.change(userId, { password: hash, passwordUpdate: now() });
          return token;
        });
        // Strangers may have used up the sign-in attempts of the address.
        knownAddresses.add(user.email, networkOf(client.address));
        const resource = { kind: 'recovery', id: token.id } as const;
        emitUserChange(events, caller, { userId, resource, action: 'update', payload: tokenJson(token) });
        return { status: 200, body: tokenJson(token) };
      },
    }),
  ];
}
