/** One-time links, in this browser: they sign in somebody who was invited, or has lost the password. */

import { Teams } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import { SITE_TEAM } from '#blog/people.ts';
import type { User } from '#blog/user.ts';
import { connect, logged } from './client.ts';
import { currentUser } from './session.ts';

export interface LinkSignIn {
  readonly user: User;
  /** True of an invitation that the user accepted in a session they had before: the link opened none. */
  readonly wasSignedIn: boolean;
}

/**
 * Signs in by what stands in the address: behind the `#` the user and the secret of a link that was handed over, in the
 * query what the backend wrote into a mailed invitation. Undefined where there is neither. Throws what the backend threw:
 * `user_more_factors_required` once the link is spent and the session waits for its second factor.
 */
export function signInByLink({ hash, search }: Pick<Location, 'hash' | 'search'>): Promise<LinkSignIn | undefined> {
  return logged('signInByLink', async () => {
    const { client, account } = connect();
    const query = new URLSearchParams(search);
    const [membershipId, invited, invitation] = [query.get('membershipId'), query.get('userId'), query.get('secret')];
    const [, userId, secret] = /^#([A-Za-z0-9][\w.-]{0,35})\.([0-9a-f]+)$/.exec(hash) ?? [];
    let wasSignedIn = false;
    if (membershipId && invited && invitation) {
      wasSignedIn = (await currentUser()) !== null;
      const membership = { teamId: query.get('teamId') ?? SITE_TEAM, membershipId, userId: invited };
      await pastHalfSession(() => new Teams(client).updateMembershipStatus({ ...membership, secret: invitation }));
    } else if (userId && secret) {
      await pastHalfSession(() => account.createSession({ userId, secret }));
    } else {
      return undefined;
    }
    const { $id, email, name } = await account.get();
    return { user: { id: $id, email, name }, wasSignedIn };
  });
}

/** A sign-in that was left before its second factor has every call refused: it makes way, and the link is not spent yet. */
async function pastHalfSession(spend: () => Promise<unknown>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (faultOf(error).type !== 'user_more_factors_required') throw error;
    await connect().account.deleteSession({ sessionId: 'current' });
    await spend();
  }
}
