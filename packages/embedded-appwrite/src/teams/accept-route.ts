/** Accepts an invitation by its mailed secret, which signs a guest in (contract, part 2, 6.2). */
import { timingSafeEqual } from 'node:crypto';
import { openSession } from '../account/sessions/open-session.ts';
import { WRONG_SECRETS } from '../account/tokens/guess-limits.ts';
import { digestOf } from '../account/tokens/secret.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, text, uid } from '../http/params.ts';
import { type Route, type RouteContext, route } from '../http/route.ts';
import { membershipEvent } from './events.ts';
import type { TeamsService } from './service.ts';
import { CHANGED, type MembershipRecord, membershipJson } from './team.ts';

interface Acceptance {
  readonly teamId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly secret: string;
}

function isSecretOf({ secret: digest }: MembershipRecord, secret: string): boolean {
  const given = digestOf(secret);
  return digest.length === given.length && timingSafeEqual(Buffer.from(digest), Buffer.from(given));
}

export function acceptRoute({ kernel, accounts, records }: TeamsService): Route {
  const { store, events } = kernel;
  const { users, proveAddress } = accounts;

  /** Returns the invitation. Checks it in the contract's order and throws the first error. */
  function invitationOf({ params, caller }: RouteContext<Acceptance>): MembershipRecord {
    const membership = records.membership(params.membershipId);
    if (!membership) throw new AppwriteError('membership_not_found');
    if (!records.team(params.teamId)) throw new AppwriteError('team_not_found');
    if (membership.teamId !== params.teamId) throw new AppwriteError('team_membership_mismatch');
    if (!isSecretOf(membership, params.secret)) throw new AppwriteError('team_invalid_secret');
    const isForeign = caller.user !== undefined && caller.user.id !== membership.userId;
    if (params.userId !== membership.userId || isForeign) {
      const who = caller.user?.email ?? '';
      throw new AppwriteError('team_invite_mismatch', `Invite does not belong to current user (${who})`);
    }
    if (membership.confirmed) throw new AppwriteError('membership_already_confirmed');
    return membership;
  }

  return route({
    method: 'PATCH',
    path: '/teams/:teamId/memberships/:membershipId/status',
    scope: 'public',
    limits: [WRONG_SECRETS],
    params: {
      teamId: required(uid()),
      membershipId: required(uid()),
      userId: required(uid()),
      secret: required(text(256)),
    },
    async handle(context) {
      const { id, userId } = invitationOf(context);
      if (!users.byId(userId)?.status) throw new AppwriteError('user_blocked');
      const membership = await store.write(() => {
        invitationOf(context);
        const accepted = records.confirm(id);
        proveAddress(userId, context.caller.sessionId);
        return accepted;
      });
      if (!context.caller.user) {
        const { userEmail: providerUid } = membership;
        await openSession(kernel, accounts, context, { userId, provider: 'email', providerUid, factors: ['email'] });
      }
      events.emit(membershipEvent('update.status', membership, userId));
      return { status: 200, body: membershipJson(membership, CHANGED) };
    },
  });
}
