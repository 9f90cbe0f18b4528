/** Routes to create teams, read them as a member and change them as an owner (contract part 2, section 6). */
import { isDeepStrictEqual } from 'node:util';
import { PREFS_BODY, preferences } from '../account/params.ts';
import type { Caller } from '../caller.ts';
import { LIST_PARAMS, listResponse } from '../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { AppwriteError } from '../http/errors.ts';
import { customId, optional, required, text, uid, type Validator } from '../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { ownerOf } from '../quota/usage.ts';
import { bytesOfTeam, requireFewTeams } from './bounds.ts';
import { teamEvent } from './events.ts';
import type { TeamRecords } from './records.ts';
import { OWNER, openAsOwner, openTeam, requireOwner, teamRoles } from './rights.ts';
import { TEAMS, type TeamRecord, teamJson } from './team.ts';

const NAME_LENGTH = 128;

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created_at', updatedAt: 'updated_at' }),
    ['name', { type: 'string', column: 'name' }],
    ['total', { type: 'integer', column: 'total' }],
    ['billingPlan', { type: 'string', column: "''" }],
  ]),
};

/** Accepts preferences; PHP clients send an empty list for an empty object. */
function teamPreferences(): Validator<Record<string, unknown>> {
  const { description, read } = preferences();
  return { description, read: (raw, caller) => read(Array.isArray(raw) && raw.length === 0 ? {} : raw, caller) };
}

const rolesOfCreator = (roles: readonly string[]): readonly string[] =>
  roles.includes(OWNER) ? roles : [...roles, OWNER];

export function teamRoutes({ store, events, usage }: Kernel, records: TeamRecords): Route[] {
  const teamId = required(uid());
  const name = required(text(NAME_LENGTH));

  /** Throws 404 when the team was deleted, 413 when its creator's quota is full. Call within a write. */
  function change(caller: Caller, id: string, changes: Partial<Pick<TeamRecord, 'name' | 'prefs'>>): TeamRecord {
    const before = records.team(id);
    if (!before) throw new AppwriteError('team_not_found');
    usage.requireRoom(caller, before.owner, bytesOfTeam({ ...before, ...changes }) - bytesOfTeam(before));
    return records.changeTeam(id, changes);
  }

  return [
    route({
      method: 'POST',
      path: '/teams',
      scope: 'teams.write',
      limits: [{ limit: 20, key: ({ ip, userId }) => userId || ip, quiet: true }],
      params: { teamId: required(customId()), name, roles: optional(teamRoles(36), [OWNER]) },
      async handle({ params, caller }) {
        const { user } = caller;
        const team = await store.write(() => {
          requireFewTeams(store, caller);
          const owner = ownerOf(caller);
          usage.requireRoom(caller, owner, bytesOfTeam({ name: params.name, prefs: {} }));
          const made = records.insertTeam({ id: params.teamId, name: params.name, owner });
          if (!user) return made;
          const roles = rolesOfCreator(params.roles);
          records.insertMembership({ teamId: made.id, userId: user.id, roles, confirmed: true });
          return { ...made, total: 1 };
        });
        events.emit(teamEvent('create', team, caller));
        return created(teamJson(team));
      },
    }),
    endpoint('GET /teams', 'teams.read', LIST_PARAMS, ({ params, caller }) => {
      const scope = {
        sql: caller.privileged ? '1' : 'id IN (SELECT team_id FROM memberships WHERE user_id = ? AND confirmed = 1)',
        values: caller.privileged ? [] : [caller.user?.id ?? ''],
      };
      const source = { from: 'teams', columns: '*', schema: SCHEMA, noun: 'Team', scope, caller };
      return listResponse(store, source, params, { name: 'teams', show: (row) => teamJson(TEAMS.fromRow(row)) });
    }),
    endpoint('GET /teams/:teamId', 'teams.read', { teamId }, ({ params, caller }) =>
      ok(teamJson(openTeam(records, caller, params.teamId))),
    ),
    endpoint('PUT /teams/:teamId', 'teams.write', { teamId, name }, async ({ params, caller }) => {
      const { id } = openAsOwner(records, caller, params.teamId);
      const team = await store.write(() => change(caller, id, { name: params.name }));
      events.emit(teamEvent('update', team, caller));
      return ok(teamJson(team));
    }),
    endpoint('DELETE /teams/:teamId', 'teams.write', { teamId }, async ({ params, caller }) => {
      const team = openAsOwner(records, caller, params.teamId);
      const members = await store.writeThoughFull(() => {
        const all = records.members(team.id);
        records.removeTeam(team.id);
        return all;
      });
      events.emit(teamEvent('delete', team, caller, members));
      return NO_CONTENT;
    }),
    endpoint('GET /teams/:teamId/prefs', 'teams.read', { teamId }, ({ params, caller }) =>
      ok(openTeam(records, caller, params.teamId).prefs),
    ),
    route({
      method: 'PUT',
      path: '/teams/:teamId/prefs',
      scope: 'teams.write',
      largestBody: PREFS_BODY,
      params: { teamId, prefs: required(teamPreferences()) },
      async handle({ params, caller }) {
        const { id, prefs } = openTeam(records, caller, params.teamId);
        // Like Appwrite, accepts unchanged preferences from any member.
        if (isDeepStrictEqual(prefs, params.prefs)) return ok(prefs);
        requireOwner(caller, id);
        const team = await store.write(() => change(caller, id, { prefs: params.prefs }));
        events.emit(teamEvent('update.prefs', team, caller));
        return ok(team.prefs);
      },
    }),
  ];
}
