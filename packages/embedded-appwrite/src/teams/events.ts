/** Events for teams and memberships (contract part 2, section 7), sent to the team's current members. */

import type { Caller } from '../caller.ts';
import { type EventLevel, eventNames } from '../event-names.ts';
import type { BackendEvent } from '../events.ts';
import { now } from '../identifiers.ts';
import { CHANGED, type MembershipRecord, membershipJson, type TeamRecord, teamJson } from './team.ts';

interface Told {
  readonly levels: readonly EventLevel[];
  readonly action: string;
  readonly roles: readonly string[];
  readonly payload: BackendEvent['payload'];
  readonly userId: string | undefined;
}

function toldOf({ levels, action, roles, payload, userId }: Told): BackendEvent {
  const [kind, id] = levels.at(-1) as EventLevel;
  const channels = [kind, `${kind}.${id}`];
  const verb = action.split('.')[0] as string;
  return {
    events: eventNames(levels, action),
    channels: [...channels, ...channels.map((channel) => `${channel}.${verb}`)],
    roles,
    payload,
    timestamp: now(),
    ...(userId !== undefined && { userId }),
  };
}

/** @param members user ids of a deleted team's members, who no longer have the team's role */
export function teamEvent(
  action: 'create' | 'update' | 'update.prefs' | 'delete',
  team: TeamRecord,
  caller: Caller,
  members: readonly string[] = [],
): BackendEvent {
  return toldOf({
    levels: [['teams', team.id]],
    action,
    roles: [`team:${team.id}`, ...members.map((id) => `user:${id}`)],
    payload: action === 'update.prefs' ? team.prefs : teamJson(team),
    userId: caller.user?.id,
  });
}

/** @param author the user who made the change, or the invited user if a guest accepts an invitation */
export function membershipEvent(
  action: 'create' | 'update' | 'update.status' | 'delete',
  membership: MembershipRecord,
  author: string | undefined,
): BackendEvent {
  const shown = action === 'delete' ? { ...membership, userName: '', userEmail: '', teamName: '' } : membership;
  return toldOf({
    levels: [
      ['teams', membership.teamId],
      ['memberships', membership.id],
    ],
    action,
    roles: [`team:${membership.teamId}`],
    payload: membershipJson(shown, CHANGED),
    userId: author,
  });
}
