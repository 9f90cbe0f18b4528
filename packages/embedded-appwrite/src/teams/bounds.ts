/** Limits teams that users create. Teams created with a server key have no limits. */
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { exactText } from '../http/exact-json.ts';
import { ownerOf } from '../quota/usage.ts';
import type { Store } from '../sqlite/store.ts';
import type { TeamRecord } from './team.ts';

export const MOST_TEAMS = 50;
/** Maximum members and open invitations of a team created by a user. */
export const MOST_MEMBERS = 50;

/** Bytes counted for a team in addition to its name and preferences. */
const TEAM_BYTES = 512;

export function bytesOfTeam({ name, prefs }: Pick<TeamRecord, 'name' | 'prefs'>): number {
  return TEAM_BYTES + Buffer.byteLength(name) + Buffer.byteLength(exactText(prefs));
}

const countIn = (store: Store, sql: string, value: string): number =>
  Number(store.prepare(`SELECT count(*) AS number FROM ${sql} = ?`).get(value)?.number);

/** Throws 400 when the caller has created the maximum number of teams. Call within the write that creates one. */
export function requireFewTeams(store: Store, caller: Caller): void {
  if (caller.privileged || countIn(store, 'teams WHERE owner', ownerOf(caller)) < MOST_TEAMS) return;
  throw new AppwriteError('general_bad_request', `A user may have made at most ${MOST_TEAMS} teams.`);
}

/** Throws 400 when a team created by a user is full. Call within the write that adds a member. */
export function requireFewMembers(store: Store, caller: Caller, team: TeamRecord): void {
  if (caller.privileged || team.owner === 'key') return;
  if (countIn(store, 'memberships WHERE team_id', team.id) < MOST_MEMBERS) return;
  throw new AppwriteError('general_bad_request', `A team may have at most ${MOST_MEMBERS} members and invitations.`);
}
