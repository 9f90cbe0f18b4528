/** Teams are not part of this backend; a user's list of them is empty (contract 6). */
import { type Route, route } from '../http/route.ts';

export function teamRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/teams',
      scope: 'teams.read',
      params: {},
      handle: () => ({ status: 200, body: { total: 0, teams: [] } }),
    }),
  ];
}
