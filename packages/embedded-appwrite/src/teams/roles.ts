/** The roles that a user has through team memberships (contract part 2, section 6.3). */
import type { Store } from '../sqlite/store.ts';

/** Maximum team roles per user. Limited because each request for a list of documents looks up all of them. */
export const MOST_ROLES = 1000;

/**
 * Returns a function that looks up a user's roles from confirmed memberships: `team:T`, `member:M` and `team:T/role`.
 */
export function createTeamRoles(store: Store): (userId: string) => string[] {
  const select = store.database.prepare(
    'SELECT id, team_id, roles FROM memberships WHERE user_id = ? AND confirmed = 1 ORDER BY sequence',
  );
  return (userId) =>
    select.all(userId).flatMap(({ id, team_id: team, roles }) => {
      const own = new Set(JSON.parse(roles as string) as string[]);
      return [`team:${team}`, `member:${id}`, ...[...own].map((role) => `team:${team}/${role}`)];
    });
}
