/** One-time links, in this browser: they sign in somebody who was invited, or has lost the password. */

import { Teams } from 'appwrite';
import { SITE_TEAM } from '#blog/people.ts';
import type { User } from '#blog/user.ts';
import { connect, logged } from './client.ts';

/**
 * Signs in by what stands in the address: behind the `#` the user and the secret of a link that was handed over, in the
 * query what the backend wrote into a mailed invitation. Undefined where there is neither. Throws what the backend threw.
 */
export function signInByLink({ hash, search }: Pick<Location, 'hash' | 'search'>): Promise<User | undefined> {
  return logged('signInByLink', async () => {
    const { client, account } = connect();
    const query = new URLSearchParams(search);
    const [membershipId, invited, invitation] = [query.get('membershipId'), query.get('userId'), query.get('secret')];
    const [, userId, secret] = /^#([A-Za-z0-9][\w.-]{0,35})\.([0-9a-f]+)$/.exec(hash) ?? [];
    if (membershipId && invited && invitation) {
      const teamId = query.get('teamId') ?? SITE_TEAM;
      await new Teams(client).updateMembershipStatus({ teamId, membershipId, userId: invited, secret: invitation });
    } else if (userId && secret) {
      await account.createSession({ userId, secret });
    } else {
      return undefined;
    }
    const { $id, email, name } = await account.get();
    return { id: $id, email, name };
  });
}
