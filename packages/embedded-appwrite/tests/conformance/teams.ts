import type { Models } from 'node-appwrite';
import { inject } from 'vitest';
import { later } from './cleanup.ts';
import { server } from './line.ts';
import { linkOf, mailTo } from './mailbox.ts';
import { fresh } from './names.ts';
import { admin, type Person } from './people.ts';
import { PAGE_ORIGIN } from './sdk.ts';
import type { Server } from './server.ts';
import { Socket } from './sockets.ts';

export interface Team {
  readonly id: string;
  readonly path: string;
  readonly memberships: string;
  membership(id: string): string;
}

export const PAGE = `${PAGE_ORIGIN}/join`;

export const NOT_FOUND = { code: 404, type: 'team_not_found' };
export const NOT_OWNER = { code: 401, type: 'user_unauthorized' };

/** Creates a team of `owner`; removes it after the file's tests. */
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

/** Adds a user to a team by key. */
export async function joined(
  server: Server,
  team: Team,
  who: { id: string },
  roles: readonly string[] = [],
): Promise<Models.Membership> {
  const answer = await admin(server).http.post(team.memberships, { userId: who.id, roles: [...roles] });
  return answer.is(201).json<Models.Membership>();
}

/** Returns the server, with mail if the run has it; `sendsMail` tells which. */
export function mailServerIfAny(): { where: Server; sendsMail: boolean } {
  const mail = inject('mail');
  return { where: mail ? { ...server(), endpoint: mail.endpoint } : server(), sendsMail: mail !== undefined };
}

/** Invites by mail as the owner; returns the parameters of the link. Requires `mailServer`. */
export async function invited(
  team: Team,
  owner: Person,
  email: string,
  { roles = ['editor'], url = PAGE, ...body }: { roles?: string[]; url?: string; name?: string } = {},
): Promise<{ membership: Models.Membership; parameters: Record<string, string>; link: URL }> {
  const answer = await owner.http.post(team.memberships, { email, roles, url, ...body });
  const membership = answer.is(201).json<Models.Membership>();
  const link = linkOf(await mailTo(membership.userEmail));
  return { membership, parameters: Object.fromEntries(link.searchParams), link };
}

/** Opens a user's socket that listens on `channels`, as subscription `s`. */
export async function listeningAs(server: Server, who: Person, ...channels: readonly string[]): Promise<Socket> {
  const socket = await Socket.connected(server, {
    cookie: `a_session_${server.projectId}=${encodeURIComponent(who.session)}`,
  });
  await socket.subscribe({ subscriptionId: 's', channels });
  return socket;
}
