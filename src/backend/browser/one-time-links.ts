import { Teams } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import { SITE_TEAM } from '#blog/people.ts';
import type { User } from '#blog/user.ts';
import { connect, logged } from './client.ts';
import { sessionUser } from './session.ts';

export interface LinkSignIn {
  readonly user: User;
  /** True if the user accepted an invitation in an existing session. */
  readonly wasSignedIn: boolean;
}

export type OpenLink = (link: { readonly userId: string; readonly sealed: string }) => Promise<string>;

/**
 * Signs in with the one-time link in the page's URL: either the user id and the encrypted secret after the `#`, or the
 * query parameters of an emailed invitation. Returns undefined if the URL has neither.
 * @throws the error from `openLink` or the SDK: `user_more_factors_required` if the link was used successfully but the
 * session still needs its second factor
 */
export function signInByLink(
  { hash, search }: Pick<Location, 'hash' | 'search'>,
  openLink: OpenLink,
): Promise<LinkSignIn | undefined> {
  return logged('signInByLink', async () => {
    const { client, account } = connect();
    const query = new URLSearchParams(search);
    const [membershipId, invited, invitation] = [query.get('membershipId'), query.get('userId'), query.get('secret')];
    const [, userId, sealed] = /^#([A-Za-z0-9][\w.-]{0,35})\.([\w-]+)$/.exec(hash) ?? [];
    let wasSignedIn = false;
    if (membershipId && invited && invitation) {
      const present = await account.get().catch(() => undefined);
      // Anyone may have signed up with this unverified address, so the current session is ended. The link opens a new
      // session, in which the user must set a new password.
      const isUnproven = present?.$id === invited && !present.emailVerification;
      if (isUnproven) await account.deleteSession({ sessionId: 'current' });
      wasSignedIn = present !== undefined && !isUnproven;
      const membership = { teamId: query.get('teamId') ?? SITE_TEAM, membershipId, userId: invited };
      await pastHalfSession(() => new Teams(client).updateMembershipStatus({ ...membership, secret: invitation }));
    } else if (userId && sealed) {
      // Links made by the backend itself or by earlier releases contain the secret unencrypted.
      const secret = /^[0-9a-f]{4,128}$/.test(sealed) ? sealed : await openLink({ userId, sealed });
      await pastHalfSession(() => account.createSession({ userId, secret }));
    } else {
      return undefined;
    }
    return { user: await sessionUser(), wasSignedIn };
  });
}

/** Uses up a link. If a session that still needs its second factor blocks this, ends that session and retries. */
async function pastHalfSession(spend: () => Promise<unknown>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (faultOf(error).type !== 'user_more_factors_required') throw error;
    await connect().account.deleteSession({ sessionId: 'current' });
    await spend();
  }
}
