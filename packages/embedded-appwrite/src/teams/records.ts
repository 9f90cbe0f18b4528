/** The tables of teams and memberships. Methods that write must run inside `store.write`. */
import { AppwriteError } from '../http/errors.ts';
import { now, uniqueId } from '../identifiers.ts';
import { refuseTaken } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { bytesOfTeam } from './bounds.ts';
import { createTeamRoles, MOST_ROLES } from './roles.ts';
import {
  MEMBERSHIP_SELECT,
  MEMBERSHIP_TABLES,
  MEMBERSHIPS,
  type MembershipRecord,
  membershipFromRow,
  TEAMS,
  type TeamRecord,
} from './team.ts';

type NewMembership = Pick<MembershipRecord, 'teamId' | 'userId' | 'roles' | 'confirmed'> & { readonly secret?: string };

export type TeamRecords = ReturnType<typeof createTeamRecords>;

/** Methods that change memberships throw 400 when the user would have too many roles. */
export function createTeamRecords(store: Store, onChange: (userId: string) => void) {
  const rolesOf = createTeamRoles(store);
  const memberships = `SELECT ${MEMBERSHIP_SELECT} FROM ${MEMBERSHIP_TABLES}`;
  const team = (id: string): TeamRecord | undefined => TEAMS.get(store, { id });

  function membership(id: string): MembershipRecord | undefined {
    const row = store.prepare(`${memberships} WHERE m.id = ?`).get(id);
    return row && membershipFromRow(row);
  }

  function changed(id: string): MembershipRecord {
    const record = membership(id);
    if (!record) throw new AppwriteError('membership_not_found');
    onChange(record.userId);
    if (rolesOf(record.userId).length > MOST_ROLES) {
      throw new AppwriteError('general_bad_request', `A user may hold at most ${MOST_ROLES} roles in teams.`);
    }
    return record;
  }

  function change(id: string, changes: Partial<MembershipRecord>): MembershipRecord {
    MEMBERSHIPS.update(store, { id }, changes);
    return changed(id);
  }

  function members(teamId: string): string[] {
    return MEMBERSHIPS.list(store, { teamId, confirmed: true }).map(({ userId }) => userId);
  }

  return {
    team,
    membership,
    members,
    membershipOf(teamId: string, userId: string): MembershipRecord | undefined {
      const row = store.prepare(`${memberships} WHERE m.team_id = ? AND m.user_id = ?`).get(teamId, userId);
      return row && membershipFromRow(row);
    },
    /**
     * Creates a team. Throws 409 `team_already_exists` if the id is taken, or if a deleted team had it and the new team
     * is not created with a server key.
     */
    insertTeam({ id, name, owner }: Pick<TeamRecord, 'id' | 'name' | 'owner'>): TeamRecord {
      const taken = () => new AppwriteError('team_already_exists');
      if (owner !== 'key' && store.prepare('SELECT 1 FROM former_teams WHERE id = ?').get(id)) throw taken();
      const moment = now();
      const bytes = bytesOfTeam({ name, prefs: {} });
      refuseTaken(() => TEAMS.insert(store, { id, createdAt: moment, updatedAt: moment, name, owner, bytes }), taken);
      return team(id) as TeamRecord;
    },
    changeTeam(id: string, changes: Partial<Pick<TeamRecord, 'name' | 'prefs'>>): TeamRecord {
      const before = team(id);
      if (!before) throw new AppwriteError('team_not_found');
      const bytes = bytesOfTeam({ ...before, ...changes });
      TEAMS.update(store, { id }, { ...changes, bytes, updatedAt: now() });
      return team(id) as TeamRecord;
    },
    removeTeam(id: string): void {
      for (const userId of members(id)) onChange(userId);
      TEAMS.delete(store, { id });
    },
    insertMembership(membership: NewMembership): MembershipRecord {
      const [id, moment] = [uniqueId(), now()];
      const joined = membership.confirmed ? moment : '';
      MEMBERSHIPS.insert(store, { ...membership, id, createdAt: moment, updatedAt: moment, invited: moment, joined });
      return changed(id);
    },
    inviteAgain: (id: string, secret: string): MembershipRecord =>
      change(id, { invited: now(), updatedAt: now(), secret }),
    confirm: (id: string): MembershipRecord => change(id, { confirmed: true, joined: now(), updatedAt: now() }),
    changeRoles: (id: string, roles: readonly string[]): MembershipRecord => change(id, { roles, updatedAt: now() }),
    removeMembership(id: string): void {
      const record = membership(id);
      if (!record) return;
      onChange(record.userId);
      MEMBERSHIPS.delete(store, { id });
    },
  };
}
