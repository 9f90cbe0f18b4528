import type { Accounts } from '../account/accounts.ts';
import type { Caller } from '../caller.ts';
import { both } from '../databases/query/list.ts';
import { LIST_PARAMS, listResponse } from '../databases/query/listing.ts';
import { type Fragment, internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { searchCondition } from '../databases/search.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, uid } from '../http/params.ts';
import { type Answer, endpoint, NO_CONTENT, ok, type Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Row } from '../sqlite/table.ts';
import { membershipEvent } from './events.ts';
import { membershipPrivacy } from './privacy.ts';
import type { TeamRecords } from './records.ts';
import { isOwner, openMembership, openTeam, requireOwner, teamRoles } from './rights.ts';
import { CHANGED, MEMBERSHIP_SELECT, MEMBERSHIP_TABLES, membershipFromRow, membershipJson } from './team.ts';

const SCHEMA: QuerySchema = {
  sequence: 'm.sequence',
  fields: new Map([
    ...internalFields({ id: 'm.id', sequence: 'm.sequence', createdAt: 'm.created_at', updatedAt: 'm.updated_at' }),
    ['userId', { type: 'string', column: 'm.user_id' }],
    ['teamId', { type: 'string', column: 'm.team_id' }],
    ['invited', { type: 'datetime', column: 'm.invited' }],
    ['joined', { type: 'datetime', column: 'm.joined' }],
    ['confirm', { type: 'boolean', column: 'm.confirmed' }],
    ['roles', { type: 'string', column: 'm.roles', array: true }],
  ]),
};

interface ListParams {
  readonly queries: readonly string[];
  readonly search: string;
  readonly total: boolean;
}

export function membershipRoutes({ store, events }: Kernel, { users }: Accounts, records: TeamRecords): Route[] {
  const userId = required(uid());
  const ids = { teamId: required(uid()), membershipId: required(uid()) };
  const path = '/teams/:teamId/memberships';

  const shownTo = ({ privileged }: Caller) => (privileged ? undefined : membershipPrivacy(store));

  function list(caller: Caller, of: Fragment, { search, ...params }: ListParams): Answer {
    const shown = shownTo(caller);
    const source = {
      from: MEMBERSHIP_TABLES,
      columns: MEMBERSHIP_SELECT,
      schema: SCHEMA,
      noun: 'Membership',
      // Searches only ids: names and addresses may be hidden from members.
      scope: both(of, searchCondition(search, ['m.id', 'm.user_id'])),
      caller,
    };
    const show = (row: Row) => membershipJson(membershipFromRow(row), shown);
    return listResponse(store, source, params, { name: 'memberships', show });
  }

  return [
    endpoint(`GET ${path}`, 'teams.read', { teamId: ids.teamId, ...LIST_PARAMS }, ({ params, caller }) => {
      const { id } = openTeam(records, caller, params.teamId);
      return list(caller, { sql: 'm.team_id = ?', values: [id] }, params);
    }),
    endpoint('GET /users/:userId/memberships', 'users.read', { userId, ...LIST_PARAMS }, ({ params, caller }) => {
      const { id } = users.require(params.userId);
      return list(caller, { sql: 'm.user_id = ?', values: [id] }, params);
    }),
    endpoint(`GET ${path}/:membershipId`, 'teams.read', ids, ({ params, caller }) => {
      const { id } = openTeam(records, caller, params.teamId);
      return ok(membershipJson(openMembership(records, id, params.membershipId), shownTo(caller)));
    }),
    endpoint(
      `PATCH ${path}/:membershipId`,
      'teams.write',
      { ...ids, roles: required(teamRoles(81)) },
      async ({ params, caller }) => {
        const { id: teamId } = openTeam(records, caller, params.teamId);
        const { id } = openMembership(records, teamId, params.membershipId);
        requireOwner(caller, teamId, 'User is not allowed to modify roles');
        const membership = await store.write(() => records.changeRoles(id, params.roles));
        events.emit(membershipEvent('update', membership, caller.user?.id));
        return ok(membershipJson(membership, CHANGED));
      },
    ),
    endpoint(`DELETE ${path}/:membershipId`, 'teams.write', ids, async ({ params, caller }) => {
      const { id: teamId } = openTeam(records, caller, params.teamId);
      const membership = openMembership(records, teamId, params.membershipId, 'team_invite_not_found');
      if (!isOwner(caller, teamId) && membership.userId !== caller.user?.id) {
        throw new AppwriteError('user_unauthorized');
      }
      await store.writeThoughFull(() => records.removeMembership(membership.id));
      events.emit(membershipEvent('delete', membership, caller.user?.id));
      return NO_CONTENT;
    }),
  ];
}
