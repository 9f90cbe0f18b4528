/** Routes for password recovery and email verification by link (contract part 2, section 3). */
import { networkOf } from '@common-ink/http/client-address.ts';
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { email, required, text, uid } from '../../http/params.ts';
import { ok, type RateLimit, type Route, route } from '../../http/route.ts';
import { now } from '../../identifiers.ts';
import type { Kernel } from '../../kernel.ts';
import type { Accounts } from '../accounts.ts';
import { password, redirectUrl } from '../params.ts';
import { flowOf } from '../passwords/password-queue.ts';
import { signedInUser } from '../profile-routes.ts';
import type { UserRecord } from '../user.ts';
import { emitUserChange } from '../user-events.ts';
import { ACCOUNT_PROBES, WRONG_SECRETS } from './guess-limits.ts';
import { mailProof } from './mailed-tokens.ts';
import { type TokenRecord, tokenJson } from './token-records.ts';

const VERIFICATION = { path: '/account/verifications/email', aliases: ['/account/verification'] } as const;
/**
 * Limits verification emails and attempts to confirm an address. Both routes count by network and user, so that
 * attackers cannot use up a user's attempts.
 */
const VERIFICATION_LIMIT: RateLimit = { limit: 10, counter: 'verification' };
const PROOF = { userId: required(uid()), secret: required(text(256)) };

export function proofRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, tokens, signOut, proveAddress, passwords, passwordMinimum, knownAddresses } = accounts;

  function proved(userId: string, type: 'recovery' | 'verification', secret: string) {
    const user = users.require(userId);
    const token = tokens.find(userId, [type], secret);
    if (!token) throw new AppwriteError('user_invalid_token');
    return { user, token };
  }

  function requireOpen(user: UserRecord | undefined): UserRecord {
    if (!user) throw new AppwriteError('user_not_found');
    if (!user.status) throw new AppwriteError('user_blocked');
    return user;
  }

  function used(caller: Caller, kind: 'recovery' | 'verification', token: TokenRecord) {
    const payload = tokenJson(token);
    emitUserChange(events, caller, {
      ...{ userId: token.userId, resource: { kind, id: token.id }, action: 'update', payload },
    });
    return ok(payload);
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
      handle: (context) =>
        mailProof(kernel, accounts, context, 'recovery', () => requireOpen(users.byEmail(context.params.email))),
    }),
    route({
      method: 'PUT',
      path: '/account/recovery',
      scope: 'sessions.write',
      // Counts by user and network, so that attackers cannot use up a user's attempts. Attackers with many networks
      // gain nothing, because the secret is too long to guess.
      limits: [{ limit: 10, bodyKey: ({ ip, param }) => `${ip} ${param('userId')}` }, WRONG_SECRETS],
      params: { ...PROOF, password: required(password(passwordMinimum)) },
      async handle(context) {
        const { params, caller, client } = context;
        const { userId, secret } = params;
        const proof = () => {
          const found = proved(userId, 'recovery', secret);
          requireOpen(found.user);
          return found;
        };
        // Checks the token before the expensive hash but consumes it afterwards, so the link still works if hashing is
        // refused.
        const { user } = proof();
        const hash = await passwords.hash(params.password, flowOf(context));
        const token = await store.write(() => {
          const { token } = proof();
          signOut(userId);
          proveAddress(userId);
          users.change(userId, { password: hash, passwordUpdate: now() });
          return token;
        });
        // Marks the network as known, so the user can sign in from it even if attackers use up the account's limit.
        knownAddresses.add(user.email, networkOf(client.address));
        return used(caller, 'recovery', token);
      },
    }),
    route({
      method: 'POST',
      ...VERIFICATION,
      scope: 'account',
      limits: [
        { ...VERIFICATION_LIMIT, key: ({ ip, userId }) => `${ip} ${userId}` },
        // Limits a user's verification emails across all networks.
        { limit: 10, key: ({ userId }) => userId },
      ],
      params: { url: required(redirectUrl(kernel)) },
      handle(context) {
        const { id } = signedInUser(context.caller);
        return mailProof(kernel, accounts, context, 'verification', () => {
          // Reads the user again, because the address may have changed. The token must prove the address that the email
          // goes to.
          const user = users.require(id);
          if (user.email === '') throw new AppwriteError('user_email_not_found');
          if (user.emailVerification) throw new AppwriteError('user_email_already_verified');
          return user;
        });
      },
    }),
    route({
      method: 'PUT',
      ...VERIFICATION,
      scope: 'public',
      limits: [{ ...VERIFICATION_LIMIT, bodyKey: ({ ip, param }) => `${ip} ${param('userId')}` }, WRONG_SECRETS],
      params: PROOF,
      async handle({ params: { userId, secret }, caller }) {
        const token = await store.write(() => {
          const { token } = proved(userId, 'verification', secret);
          tokens.remove(token);
          users.change(userId, { emailVerification: true });
          return token;
        });
        return used(caller, 'verification', token);
      },
    }),
  ];
}
