/** Team memberships: list, change roles, leave (contract, part 2, 6). */

import type { Caller } from '../caller.ts';
import { both } from '../databases/query/list.ts';
import { LIST_PARAMS, listResponse } from '../databases/query/listing.ts';
import { type Fragment, internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { searchCondition } from '../databases/search.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, uid } from '../http/params.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import type { Row } from '../sqlite/table.ts';
import { membershipEvent } from './events.ts';
import { teamRoles } from './params.ts';
import { membershipPrivacy } from './privacy.ts';
import { isOwner, openMembership, openTeam, requireOwner } from './rights.ts';
import type { TeamsService } from './service.ts';
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

/** Returns a list of memberships with the fields that the caller may see. */
export function listMemberships(
  { kernel: { store } }: TeamsService,
  caller: Caller,
  of: Fragment,
  { search, ...params }: ListParams,
): Answer {
  const shown = caller.privileged ? undefined : membershipPrivacy(store);
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

export function membershipRoutes(service: TeamsService): Route[] {
  const { kernel, records } = service;
  const { store, events } = kernel;
  const ids = { teamId: required(uid()), membershipId: required(uid()) };
  const path = '/teams/:teamId/memberships/:membershipId';

  const list = route({
    method: 'GET',
    path: '/teams/:teamId/memberships',
    scope: 'teams.read',
    params: { teamId: ids.teamId, ...LIST_PARAMS },
    handle({ params, caller }) {
      const { id } = openTeam(records, caller, params.teamId);
      return listMemberships(service, caller, { sql: 'm.team_id = ?', values: [id] }, params);
    },
  });

  const get = route({
    method: 'GET',
    path,
    scope: 'teams.read',
    params: ids,
    handle({ params, caller }) {
      const { id } = openTeam(records, caller, params.teamId);
      const membership = openMembership(records, id, params.membershipId);
      const shown = caller.privileged ? undefined : membershipPrivacy(store);
      return { status: 200, body: membershipJson(membership, shown) };
    },
  });

  const changeRoles = route({
    method: 'PATCH',
    path,
    scope: 'teams.write',
    params: { ...ids, roles: required(teamRoles(81)) },
    async handle({ params, caller }) {
      const { id: teamId } = openTeam(records, caller, params.teamId);
      const { id } = openMembership(records, teamId, params.membershipId);
      requireOwner(caller, teamId, 'User is not allowed to modify roles');
      const membership = await store.write(() => records.changeRoles(id, params.roles));
      events.emit(membershipEvent('update', membership, caller.user?.id));
      return { status: 200, body: membershipJson(membership, CHANGED) };
    },
  });

  const remove = route({
    method: 'DELETE',
    path,
    scope: 'teams.write',
    params: ids,
    async handle({ params, caller }) {
      const { id: teamId } = openTeam(records, caller, params.teamId);
      const membership = openMembership(records, teamId, params.membershipId, 'team_invite_not_found');
      if (!isOwner(caller, teamId) && membership.userId !== caller.user?.id) {
        throw new AppwriteError('user_unauthorized');
      }
      await store.writeThoughFull(() => records.removeMembership(membership.id));
      events.emit(membershipEvent('delete', membership, caller.user?.id));
      return { status: 204 };
    },
  });

  return [list, get, changeRoles, remove];
}
