/** Reads and changes the site's team, whose members are owners, editors and writers (decision 018). */

import { type Models, Query } from 'node-appwrite';
import { roleIn, SITE_TEAM, type SiteRole } from '#blog/people.ts';
import { keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';

export interface Member {
  readonly userId: string;
  readonly membershipId: string;
  readonly email: string;
  readonly role: SiteRole;
  readonly changedAt: string;
  /** False until the user accepts an emailed invitation. */
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

const teamsOf = (target: ServerTarget) => keyedBackend(target).teams;

/** Returns the user's membership; undefined for a non-member, or before the team exists. */
export async function membershipOf(target: ServerTarget, userId: string): Promise<Member | undefined> {
  const [member] = await listed(target, [Query.equal('userId', userId), Query.limit(1)]);
  return member && memberOf(member);
}

export async function everyMember(target: ServerTarget): Promise<Member[]> {
  return (await Array.fromAsync(items((queries) => listed(target, queries)))).map(memberOf);
}

async function listed(target: ServerTarget, queries: string[]): Promise<Models.Membership[]> {
  const found = teamsOf(target).listMemberships({ teamId: SITE_TEAM, queries });
  return (await unless('team_not_found', found))?.memberships ?? [];
}

/** Appwrite's maximum number of values in a query. */
const MOST_VALUES = 100;

export async function ownersOf(target: ServerTarget): Promise<string[]> {
  const owners = (await everyMember(target)).filter(({ role, hasJoined }) => role === 'owner' && hasJoined);
  const ids = owners.slice(0, MOST_VALUES).map(({ userId }) => userId);
  if (ids.length === 0) return [];
  const queries = [Query.equal('$id', ids), Query.limit(MOST_VALUES)];
  const { users } = await keyedBackend(target).users.list({ queries, total: false });
  return users.flatMap(({ $id, status }) => (status ? $id : []));
}

/** Sets the user's role, or removes it. If an owner loses that role, all open invitations end. */
export async function giveRole(target: ServerTarget, userId: string, role: SiteRole | undefined): Promise<void> {
  const teams = teamsOf(target);
  const member = await membershipOf(target, userId);
  // Also replaces an open invitation, because a membership created with the key needs no confirmation.
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

/** Ends every open invitation, because the backend does not record which owner sent it. */
export async function endInvitations(target: ServerTarget): Promise<void> {
  const open = (await everyMember(target)).filter(({ hasJoined }) => !hasJoined);
  for (const { membershipId } of open) await teamsOf(target).deleteMembership({ teamId: SITE_TEAM, membershipId });
}
