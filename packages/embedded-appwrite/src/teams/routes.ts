import { LIST_PARAMS } from '../databases/query/listing.ts';
import { required, uid } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { acceptRoute } from './accept-route.ts';
import { inviteRoute } from './invite-route.ts';
import { listMemberships, membershipRoutes } from './membership-routes.ts';
import { privacyRoutes } from './privacy.ts';
import type { TeamsService } from './service.ts';
import { teamRoutes } from './team-routes.ts';

function userMembershipsRoute(service: TeamsService): Route {
  return route({
    method: 'GET',
    path: '/users/:userId/memberships',
    scope: 'users.read',
    params: { userId: required(uid()), ...LIST_PARAMS },
    handle({ params, caller }) {
      const { id } = service.accounts.users.require(params.userId);
      return listMemberships(service, caller, { sql: 'm.user_id = ?', values: [id] }, params);
    },
  });
}

export function teamsRoutes(service: TeamsService): Route[] {
  return [
    ...teamRoutes(service),
    ...membershipRoutes(service),
    inviteRoute(service),
    acceptRoute(service),
    userMembershipsRoute(service),
    ...privacyRoutes(service.kernel),
  ];
}
