/** The tables of teams and memberships. Everything that writes runs inside `store.write`. */
import type { Row } from '../databases/query/list.ts';
import { AppwriteError } from '../http/errors.ts';
import { exactText } from '../http/exact-json.ts';
import { now, uniqueId } from '../identifiers.ts';
import { violatedColumn } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { bytesOfTeam } from './bounds.ts';
import { createTeamRoles, MOST_ROLES } from './roles.ts';
import { type MembershipRecord, membershipFromRow, type TeamRecord, teamFromRow } from './team.ts';

/** What stands behind SELECT and FROM for `membershipFromRow`. */
export const MEMBERSHIP_COLUMNS = `m.id, m.created_at, m.updated_at, m.team_id, m.user_id, m.invited, m.joined, m.confirmed,
  m.roles, m.secret, u.name AS user_name, u.email AS user_email, u.phone AS user_phone, u.accessed_at AS user_accessed_at,
  t.name AS team_name, (u.mfa AND (u.email_verification AND u.email IS NOT NULL
    OR u.phone_verification AND u.phone IS NOT NULL
    OR EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = u.id AND a.verified))) AS mfa`;
export const MEMBERSHIP_TABLES = `memberships m CROSS JOIN users u ON u.id = m.user_id
  CROSS JOIN teams t ON t.id = m.team_id`;

export interface NewMembership {
  readonly teamId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly confirmed: boolean;
  /** SHA-256 of the invitation's secret; empty without one. */
  readonly secret?: string;
}

export interface TeamRecords {
  team(id: string): TeamRecord | undefined;
  membership(id: string): MembershipRecord | undefined;
  /** Of a user in a team, confirmed or not. */
  membershipOf(teamId: string, userId: string): MembershipRecord | undefined;
  /** Ids of the confirmed members. */
  members(teamId: string): string[];
  /** Throws 409 `team_already_exists` for an id that is taken or, unless a key makes it, was that of a deleted team. */
  insertTeam(team: Pick<TeamRecord, 'id' | 'name' | 'owner'>): TeamRecord;
  changeTeam(id: string, changes: { name?: string; prefs?: Readonly<Record<string, unknown>> }): TeamRecord;
  /** With its memberships. */
  removeTeam(id: string): void;
  /** Throws 400 when the user would hold too many roles. */
  insertMembership(membership: NewMembership): MembershipRecord;
  /** A new invitation in place of the open one. */
  inviteAgain(id: string, secret: string): MembershipRecord;
  /** Throws 400 when the user would hold too many roles. */
  confirm(id: string): MembershipRecord;
  /** Throws 400 when the user would hold too many roles. */
  changeRoles(id: string, roles: readonly string[]): MembershipRecord;
  removeMembership(id: string): void;
}

/** @param onChange told the id of each user whose roles were changed. */
export function createTeamRecords(store: Store, onChange: (userId: string) => void): TeamRecords {
  const rolesOf = createTeamRoles(store);
  const run = (sql: string, ...values: (string | number)[]) => store.prepare(sql).run(...values);
  const one = (sql: string, ...values: string[]): Row | undefined => store.prepare(sql).get(...values);
  const memberships = `SELECT ${MEMBERSHIP_COLUMNS} FROM ${MEMBERSHIP_TABLES}`;

  function team(id: string): TeamRecord | undefined {
    const row = one('SELECT * FROM teams WHERE id = ?', id);
    return row && teamFromRow(row);
  }

  function membership(id: string): MembershipRecord | undefined {
    const row = one(`${memberships} WHERE m.id = ?`, id);
    return row && membershipFromRow(row);
  }

  /** What a change has made of it. */
  function changed(id: string): MembershipRecord {
    const record = membership(id);
    if (!record) throw new AppwriteError('membership_not_found');
    onChange(record.userId);
    if (rolesOf(record.userId).length > MOST_ROLES) {
      throw new AppwriteError('general_bad_request', `A user may hold at most ${MOST_ROLES} roles in teams.`);
    }
    return record;
  }

  function members(teamId: string): string[] {
    const rows = store.prepare('SELECT user_id FROM memberships WHERE team_id = ? AND confirmed = 1').all(teamId);
    return rows.map((row) => row.user_id as string);
  }

  return {
    team,
    membership,
    members,
    membershipOf(teamId, userId) {
      const row = one(`${memberships} WHERE m.team_id = ? AND m.user_id = ?`, teamId, userId);
      return row && membershipFromRow(row);
    },
    insertTeam({ id, name, owner }) {
      if (owner !== 'key' && one('SELECT 1 FROM former_teams WHERE id = ?', id))
        throw new AppwriteError('team_already_exists');
      const moment = now();
      try {
        run(
          'INSERT INTO teams (id, created_at, updated_at, name, owner, bytes) VALUES (?, ?, ?, ?, ?, ?)',
          ...[id, moment, moment, name, owner, bytesOfTeam({ name, prefs: {} })],
        );
      } catch (error) {
        throw violatedColumn(error) ? new AppwriteError('team_already_exists') : error;
      }
      return team(id) as TeamRecord;
    },
    changeTeam(id, { name, prefs }) {
      const before = team(id);
      if (!before) throw new AppwriteError('team_not_found');
      const after = { name: name ?? before.name, prefs: prefs ?? before.prefs };
      run(
        'UPDATE teams SET name = ?, prefs = ?, bytes = ?, updated_at = ? WHERE id = ?',
        ...[after.name, exactText(after.prefs), bytesOfTeam(after), now(), id],
      );
      return team(id) as TeamRecord;
    },
    removeTeam(id) {
      for (const userId of members(id)) onChange(userId);
      run('DELETE FROM teams WHERE id = ?', id);
    },
    insertMembership({ teamId, userId, roles, confirmed, secret = '' }) {
      const [id, moment] = [uniqueId(), now()];
      const joined = confirmed ? moment : '';
      run(
        `INSERT INTO memberships (id, team_id, user_id, created_at, updated_at, invited, joined, confirmed, roles, secret)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, teamId, userId, moment, moment, moment, joined, Number(confirmed), JSON.stringify(roles), secret],
      );
      return changed(id);
    },
    inviteAgain(id, secret) {
      const moment = now();
      run('UPDATE memberships SET invited = ?, updated_at = ?, secret = ? WHERE id = ?', moment, moment, secret, id);
      return changed(id);
    },
    confirm(id) {
      const moment = now();
      run('UPDATE memberships SET confirmed = 1, joined = ?, updated_at = ? WHERE id = ?', moment, moment, id);
      return changed(id);
    },
    changeRoles(id, roles) {
      run('UPDATE memberships SET roles = ?, updated_at = ? WHERE id = ?', JSON.stringify(roles), now(), id);
      return changed(id);
    },
    removeMembership(id) {
      const record = membership(id);
      if (!record) return;
      onChange(record.userId);
      run('DELETE FROM memberships WHERE id = ?', id);
    },
  };
}
