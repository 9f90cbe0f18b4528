/**
 * Access to teams (contract part 2, section 6): members may read a team; owners and callers with a server key may also
 * change it.
 */
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { list, type Validator, validator } from '../http/params.ts';
import { idRule } from '../identifiers.ts';
import { holds } from '../permissions.ts';
import type { TeamRecords } from './records.ts';
import type { MembershipRecord, TeamRecord } from './team.ts';

export const OWNER = 'owner';

/** Returns the team. Throws 404 unless the caller is a confirmed member or has a server key. */
export function openTeam(records: TeamRecords, caller: Caller, id: string): TeamRecord {
  const isMember = caller.privileged || holds(caller.roles, `team:${id}`);
  const team = isMember ? records.team(id) : undefined;
  if (!team) throw new AppwriteError('team_not_found');
  return team;
}

export function isOwner(caller: Caller, teamId: string): boolean {
  return caller.privileged || holds(caller.roles, `team:${teamId}/${OWNER}`);
}

/**
 * Throws 401 `user_unauthorized` unless the caller is an owner or has a server key. `text` replaces the error message.
 */
export function requireOwner(caller: Caller, teamId: string, text?: string): void {
  if (!isOwner(caller, teamId)) throw new AppwriteError('user_unauthorized', text);
}

/** Returns the team to change. Throws like `openTeam`, and 401 for a member who is not an owner. */
export function openAsOwner(records: TeamRecords, caller: Caller, id: string): TeamRecord {
  const team = openTeam(records, caller, id);
  requireOwner(caller, id);
  return team;
}

/** @param missing the error to throw if the membership does not exist */
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

export function teamRoles(length: number): Validator<string[]> {
  const form = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${length - 1}}$`);
  const role = validator(idRule(length), (raw) => (typeof raw === 'string' && form.test(raw) ? raw : undefined));
  return list(role);
}
