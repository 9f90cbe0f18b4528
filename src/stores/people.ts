/** Manages the site's people and moderates posts, for owners and editors. Also signs users in with one-time links. */

import type { LinkSignIn } from '#backend/browser/one-time-links.ts';
import { ApiError, faultOf } from '#blog/errors.ts';
import type { Moderation, PeopleAction, PeopleOutcome, PeoplePage, SiteState, Writers } from '#blog/people.ts';
import { $auth, logIn, signedIn } from './account/auth.ts';
import { rememberRole } from './account/site-role.ts';
import { importWithRetry } from './import-with-retry.ts';
import { send } from './send.ts';

/** Sends a request to the site's server. @throws ApiError with the server's error code as its message */
export async function request(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await send(path, body, signal).catch((error: unknown) => {
    // Rethrows errors that have a code (refused tokens, aborts); network errors have none.
    if (faultOf(error).code !== 0) throw error;
    return undefined;
  });
  return accepted(response);
}

/** Returns `response` if its status indicates success. @throws ApiError with the server's error code as its message */
export async function accepted(response: Response | undefined): Promise<Response> {
  if (response?.ok) return response;
  const answer = (await response?.json().catch(() => undefined)) as { readonly error?: string } | undefined;
  throw new ApiError(response?.status ?? 0, answer?.error ?? '');
}

export const ask = async <T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
  (await request(path, body, signal)).json();

export async function siteState(): Promise<SiteState> {
  const state = await ask<SiteState>('/api/site');
  rememberRole($auth.get().user?.id ?? '', state);
  return state;
}

export const letWrite = (writers: Writers): Promise<SiteState> => ask('/api/site', { writers });

/** Returns people whose name or address contains `search`; `page` counts from 1. */
export const listPeople = (search: string, page: number): Promise<PeoplePage> =>
  ask(`/api/people?${new URLSearchParams({ search, page: `${page}` })}`);

/** Returns the size in bytes of each user's stored pictures, by user id. */
export const storageByPerson = (): Promise<Readonly<Record<string, number>>> => ask('/api/people?storage');

export const listMembers = async (): Promise<{ readonly id: string; readonly name: string }[]> =>
  Object.entries(await ask<Record<string, string>>('/api/people?members')).map(([id, name]) => ({ id, name }));

export const changePeople = (action: PeopleAction): Promise<PeopleOutcome> => ask('/api/people', action);

/** Unpublishes, deletes or reassigns a post, or renames a tag. Resolves when the public pages are up to date. */
export const moderate = (action: Moderation): Promise<unknown> => ask('/api/posts', action);

export const claim = (token: string): Promise<unknown> => ask('/api/claim', { token });

/** Sets the password of a user who signed in without one, and keeps them signed in. */
export async function setPassword(email: string, password: string): Promise<void> {
  await ask('/api/account/password', { password });
  // Changing the password has ended every session.
  await logIn({ email, password });
}

/** Result of opening a one-time link; `second-factor` means that a code is required as well. */
export type Arrival = LinkSignIn | 'second-factor' | 'wrong-link' | 'somebody-else';

/** Signs in with the one-time link in `location`. Throws backend errors that are not about the link. */
export async function arrive(location: Pick<Location, 'hash' | 'search'>): Promise<Arrival> {
  const { signInByLink } = await importWithRetry(() => import('#backend/browser/one-time-links.ts'));
  try {
    const arrival = await signInByLink(
      location,
      async (link) => (await ask<{ readonly secret: string }>('/api/account/link', link)).secret,
    );
    if (!arrival) return 'wrong-link';
    signedIn(arrival.user);
    return arrival;
  } catch (error) {
    const { code, type } = faultOf(error);
    if (type === 'user_more_factors_required') return 'second-factor';
    if (type === 'user_session_already_exists' || type === 'team_invite_mismatch') return 'somebody-else';
    if (code >= 400 && code < 500 && code !== 429) return 'wrong-link';
    throw error;
  }
}
