/** Rights on teams (contract, part 2, 6): members read, owners change, keys do everything. */
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { holds } from '../permissions.ts';
import type { TeamRecords } from './records.ts';
import type { MembershipRecord, TeamRecord } from './team.ts';

export const OWNER = 'owner';

/** Returns the team. Throws 404 for a caller who is no confirmed member. */
export function openTeam(records: TeamRecords, caller: Caller, id: string): TeamRecord {
  const isMember = caller.privileged || holds(caller.roles, `team:${id}`);
  const team = isMember ? records.team(id) : undefined;
  if (!team) throw new AppwriteError('team_not_found');
  return team;
}

export function isOwner(caller: Caller, teamId: string): boolean {
  return caller.privileged || holds(caller.roles, `team:${teamId}/${OWNER}`);
}

/** Throws 401 `user_unauthorized`, with `text` instead of the usual one. */
export function requireOwner(caller: Caller, teamId: string, text?: string): void {
  if (!isOwner(caller, teamId)) throw new AppwriteError('user_unauthorized', text);
}

/** Returns the team for a change. Throws as `openTeam`, and 401 for a member who does not own it. */
export function openAsOwner(records: TeamRecords, caller: Caller, id: string): TeamRecord {
  const team = openTeam(records, caller, id);
  requireOwner(caller, id);
  return team;
}

/** Returns a membership of this team. Throws 404. @param missing the error for an unknown one */
export function openMembership(
  records: TeamRecords,
  teamId: string,
  id: string,
  missing: 'membership_not_found' | 'team_invite_not_found' = 'membership_not_found',
): MembershipRecord {
  const membership = records.membership(id);
  if (!membership) throw new AppwriteError(missing);
  if (membership.teamId !== teamId) throw new AppwriteError('team_membership_mismatch');
  return membership;
}
