/** Teams of a test, and the ways into them. */
import type { Models } from 'node-appwrite';
import type { TestContext } from 'vitest';
import { later } from './cleanup.ts';
import { invitationTo } from './mailbox.ts';
import { fresh } from './names.ts';
import { admin, type Person } from './people.ts';
import { PAGE_ORIGIN } from './sdk.ts';
import type { Server } from './server.ts';
import { Socket } from './sockets.ts';

export interface Team {
  readonly id: string;
  /** `/teams/ID`. */
  readonly path: string;
  readonly memberships: string;
  membership(id: string): string;
}

/** Where invitations lead. */
export const PAGE = `${PAGE_ORIGIN}/join`;

export const NOT_FOUND = { code: 404, type: 'team_not_found' };
export const NOT_OWNER = { code: 401, type: 'user_unauthorized' };

/** A team of `owner`, removed after the file's tests. */
export async function teamOf(server: Server, owner: Person, body: Record<string, unknown> = {}): Promise<Team> {
  const id = fresh('team');
  (await owner.http.post('/teams', { teamId: id, name: 'A team', ...body })).is(201);
  later(() => admin(server).http.delete(`/teams/${id}`));
  return teamAt(id);
}

export function teamAt(id: string): Team {
  const path = `/teams/${id}`;
  return { id, path, memberships: `${path}/memberships`, membership: (member) => `${path}/memberships/${member}` };
}

/** Puts somebody into a team by key. */
export async function joined(
  server: Server,
  team: Team,
  who: { id: string },
  roles: readonly string[] = [],
): Promise<Models.Membership> {
  const answer = await admin(server).http.post(team.memberships, { userId: who.id, roles: [...roles] });
  return answer.is(201).json<Models.Membership>();
}

/** An owner's invitation by mail, and what its link carries. */
export async function invited(
  server: Server,
  team: Team,
  owner: Person,
  email: string,
  context: TestContext,
  { roles = ['editor'], url = PAGE, ...body }: { roles?: string[]; url?: string; name?: string } = {},
): Promise<{ membership: Models.Membership; parameters: Record<string, string>; link: URL }> {
  if (server.mailbox === undefined) return context.skip('needs a mailbox that can be read');
  const answer = await owner.http.post(team.memberships, { email, roles, url, ...body });
  const membership = answer.is(201).json<Models.Membership>();
  const { parameters, url: link } = invitationTo(server, membership.userEmail, context);
  return { membership, parameters, link };
}

/** A socket of somebody's that listens on `channels`, as subscription `s`. */
export async function listeningAs(server: Server, who: Person, ...channels: readonly string[]): Promise<Socket> {
  const socket = await Socket.connected(server, {
    cookie: `a_session_${server.projectId}=${encodeURIComponent(who.session)}`,
  });
  await socket.subscribe({ subscriptionId: 's', channels });
  return socket;
}
