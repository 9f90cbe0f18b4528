import { ID, Teams, Users } from 'node-appwrite';
import type { PublishingLocals } from '#api/locals.ts';
import { createPeople, type PeopleOptions } from '#backend/people/people.ts';
import { serverClient } from '#backend/target.ts';
import { verifySession } from '#backend/verify-session.ts';
import type { SiteRole } from '#blog/people.ts';
import { apiSite, callApi, postRequest, SITE } from './api.ts';
import type { EmbeddedSite } from './embedded-site.ts';
import { sharedSite } from './shared-site.ts';

export const PASSWORD = 'Correct-horse-1';

export type Someone = Awaited<ReturnType<typeof person>>;

/** Opens a site whose mail server cannot be reached, so that emails stay queued. */
export const sharedPeopleSite = () =>
  sharedSite({
    mail: { host: '127.0.0.1', port: 9, secure: 'none', from: { name: 'Test', address: 'test@example.com' } },
  });

/** Returns a site's API with separate rate limits. Its emails link to `siteUrl`, whose host the backend must trust. */
export const peopleApi = (
  { target }: EmbeddedSite,
  { siteUrl = SITE, published = async () => {} }: Partial<Pick<PeopleOptions, 'siteUrl' | 'published'>> = {},
) =>
  apiSite({
    verifySession: (headers) => verifySession(target, headers),
    people: createPeople(target, { siteUrl, writers: undefined, published }),
  });

/** Creates a user with the password `PASSWORD`, a session and, if given, a role. */
export async function person({ target }: EmbeddedSite, role?: SiteRole) {
  const users = new Users(serverClient(target));
  const email = `${ID.unique()}@example.com`;
  const { $id: id } = await users.create({ userId: ID.unique(), email, password: PASSWORD });
  if (role) await new Teams(serverClient(target)).createMembership({ teamId: 'site', userId: id, roles: [role] });
  return { id, email, session: (await users.createSession({ userId: id })).secret };
}

export async function removeRoles({ target }: EmbeddedSite): Promise<void> {
  const teams = new Teams(serverClient(target));
  const { memberships } = await teams.listMemberships({ teamId: 'site' });
  for (const { $id } of memberships) await teams.deleteMembership({ teamId: 'site', membershipId: $id });
}

/** Calls `api`. Returns the body, with the status code and any error as `status`. A guest's `session` is empty. */
export async function ask<T extends object>(api: PublishingLocals, path: string, session: string, body: object) {
  const request = postRequest(path, body, { cookie: `a_session_common-ink=${session}` });
  const response = await callApi(request, api);
  const { error = '', ...rest } = (await response.json()) as T & { readonly error?: string };
  return { ...(rest as T), status: `${response.status} ${error}`.trim() };
}
