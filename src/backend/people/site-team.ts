/** The team that says who is in charge of the site: its members are owners, editors and writers (decision 018). */

import { type Models, Query, Teams, Users } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { roleIn, SITE_TEAM, type SiteRole } from '#blog/people.ts';
import { type ServerTarget, serverClient } from '../target.ts';
import { items } from '../walk.ts';

export interface Member {
  readonly userId: string;
  readonly membershipId: string;
  readonly email: string;
  readonly role: SiteRole;
  /** ISO date of the last change of the role. */
  readonly changedAt: string;
  /** False for somebody who was invited by mail and has not answered. */
  readonly hasJoined: boolean;
}

const memberOf = ({ userId, userEmail, $id, $updatedAt, roles, confirm }: Models.Membership): Member => ({
  userId,
  membershipId: $id,
  email: userEmail,
  role: roleIn(roles),
  changedAt: $updatedAt,
  hasJoined: confirm,
});

const teamsOf = (target: ServerTarget): Teams => new Teams(serverClient(target));

/** The user's membership; undefined for somebody who is no member, and where the team was not made yet. */
export async function membershipOf(target: ServerTarget, userId: string): Promise<Member | undefined> {
  const [member] = await listed(target, [Query.equal('userId', userId), Query.limit(1)]);
  return member && memberOf(member);
}

/** Every member, the invited among them. */
export async function everyMember(target: ServerTarget): Promise<Member[]> {
  return (await Array.fromAsync(items((queries) => listed(target, queries)))).map(memberOf);
}

async function listed(target: ServerTarget, queries: string[]): Promise<Models.Membership[]> {
  try {
    return (await teamsOf(target).listMemberships({ teamId: SITE_TEAM, queries })).memberships;
  } catch (error) {
    if (faultOf(error).type === 'team_not_found') return [];
    throw error;
  }
}

/** The most values of a query. */
const MOST_VALUES = 100;

/** Ids of those who own the site and can: who is blocked lets nobody in. */
export async function ownersOf(target: ServerTarget): Promise<string[]> {
  const owners = (await everyMember(target)).filter(({ role, hasJoined }) => role === 'owner' && hasJoined);
  const ids = owners.slice(0, MOST_VALUES).map(({ userId }) => userId);
  if (ids.length === 0) return [];
  const queries = [Query.equal('$id', ids), Query.limit(MOST_VALUES)];
  const { users } = await new Users(serverClient(target)).list({ queries, total: false });
  return users.flatMap(({ $id, status }) => (status ? $id : []));
}

/** Gives the user a role, or takes it away. What the backend refuses a user changes with their next request. */
export async function giveRole(target: ServerTarget, userId: string, role: SiteRole | undefined): Promise<void> {
  const teams = teamsOf(target);
  const member = await membershipOf(target, userId);
  // One that was never answered is made anew: by key it holds at once.
  if (member && (!role || !member.hasJoined)) {
    await teams.deleteMembership({ teamId: SITE_TEAM, membershipId: member.membershipId });
  }
  if (role && member?.hasJoined) {
    if (member.role === role) return;
    await teams.updateMembership({ teamId: SITE_TEAM, membershipId: member.membershipId, roles: [role] });
  } else if (role) {
    await teams.createMembership({ teamId: SITE_TEAM, userId, roles: [role] });
  }
  if (member?.hasJoined && member.role === 'owner') await endInvitations(target);
}

/** Ends every open invitation: the backend does not say which owner made it. */
export async function endInvitations(target: ServerTarget): Promise<void> {
  const open = (await everyMember(target)).filter(({ hasJoined }) => !hasJoined);
  for (const { membershipId } of open) await teamsOf(target).deleteMembership({ teamId: SITE_TEAM, membershipId });
}
