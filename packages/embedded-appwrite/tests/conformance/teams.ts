import type { Models } from 'node-appwrite';
import { inject } from 'vitest';
import { later } from './cleanup.ts';
import { error } from './expect.ts';
import { linkOf, mailTo } from './mailbox.ts';
import { fresh } from './names.ts';
import { keyOf, type Person, server } from './people.ts';
import { PAGE_ORIGIN } from './sdk.ts';
import type { Server } from './server.ts';

export type Team = ReturnType<typeof teamAt>;
export const PAGE = `${PAGE_ORIGIN}/join`;
export const NOT_FOUND = error(404, 'team_not_found');
export const NOT_OWNER = error(401, 'user_unauthorized');
export const CONFIRMED = error(409, 'membership_already_confirmed', 'Membership is already confirmed.');
export const MISSING = error(404, 'membership_not_found', 'Membership with the requested ID could not be found.');

export async function teamOf(owner: Person, body: Record<string, unknown> = {}): Promise<Team> {
  const team = teamAt(fresh('team'), owner.server);
  await owner.http.post('/teams', { teamId: team.id, name: 'A team', ...body }).is(201);
  later(() => keyOf(owner.server).http.delete(team.path));
  return team;
}

export function teamAt(id: string, where = server()) {
  const path = `/teams/${id}`;
  const memberships = `${path}/memberships`;
  return { server: where, id, path, memberships, membership: (member: string) => `${memberships}/${member}` };
}

export const joined = (team: Team, { id: userId }: Person, roles: readonly string[] = []): Promise<Models.Membership> =>
  keyOf(team.server).http.post(team.memberships, { userId, roles }).json<Models.Membership>(201);

export const totalOf = async (team: Team, by: Person): Promise<number> =>
  (await by.http.get(team.path).json<Models.Team>()).total;

/** Returns the server that sends email or, if the run has none, the default server. */
export function mailServerIfAny(): { where: Server; sendsMail: boolean } {
  const mail = inject('mail');
  return { where: mail ? { ...server(), endpoint: mail.endpoint } : server(), sendsMail: mail !== undefined };
}

/** Invites by email as the owner; returns the link and its parameters. Requires a server that sends email. */
export async function invited(
  team: Team,
  owner: Person,
  email: string,
  { roles = ['editor'], url = PAGE, ...body }: { roles?: string[]; url?: string; name?: string } = {},
): Promise<{ membership: Models.Membership; parameters: Record<string, string>; link: URL }> {
  const membership = await owner.http
    .post(team.memberships, { email, roles, url, ...body })
    .json<Models.Membership>(201);
  const link = linkOf(await mailTo(membership.userEmail));
  return { membership, parameters: Object.fromEntries(link.searchParams), link };
}
