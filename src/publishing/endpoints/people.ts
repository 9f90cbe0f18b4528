/**
 * What owners and editors ask for: `/api/people` (accounts and roles), `/api/posts` (other people's posts), `/api/site`
 * (who may write, and what the caller is), `/api/claim` (the first owner), `/api/account/link` and `/api/account/password`
 * (one-time links). Who may do what is decided by `backend/people`, and by the backend itself.
 */

import type * as z from 'zod/mini';
import { type People, PeopleError } from '#backend/people/people.ts';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import {
  claimSchema,
  moderationSchema,
  newPasswordSchema,
  oneTimeLinkSchema,
  peopleActionSchema,
  writersSchema,
} from '#blog/people.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 4096;
/** Characters of a search. */
const SEARCH_LENGTH = 100;
const MOST_NAMES = 100;
const MOST_PAGES = 10_000;

const STATUS = {
  'not-allowed': 403,
  'last-owner': 422,
  oneself: 422,
  'not-found': 404,
  fixed: 422,
  'owner-link': 403,
} as const;

/** The answer to what was refused; its `type` is for the page's own words. */
export const refusedBy = ({ refusal }: PeopleError): EndpointError => new EndpointError(STATUS[refusal], refusal);

/** Every people's endpoint: production, a server key, the site's own pages, a signed-in caller within a limit. */
export function forPeople(
  request: Request,
  address: string,
  publishing: PublishingLocals | undefined,
  work: (people: People, userId: string) => Promise<Response>,
  limit: 'people' | 'imports' = 'people',
): Promise<Response> {
  return answer(async () => {
    const people = publishing?.people;
    if (!publishing || !people) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    if (request.method !== 'GET') requireSameOrigin(request, publishing.siteUrl);
    const userId = await signedIn(request, address, publishing, 'Sign in first.');
    publishing.limits[limit].spend(userId);
    return answerOf(work(people, userId));
  });
}

/** What comes of it; a refusal is an answer. */
async function answerOf(work: Promise<Response>): Promise<Response> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EndpointError) throw error;
    if (error instanceof PeopleError) throw refusedBy(error);
    const { code, message } = faultOf(error);
    if (isUnreachable(error) || code === 0 || code >= 500) {
      throw new EndpointError(503, 'The backend did not answer. Try again shortly.', { 'retry-after': '5' });
    }
    if (code === 401) throw new EndpointError(403, 'not-allowed');
    if (code === 404) throw new EndpointError(404, 'not-found');
    if (code === 429) throw new EndpointError(429, message, { 'retry-after': '60' });
    throw new EndpointError(400, message);
  }
}

/** @throws EndpointError 400 naming the first field that is wrong. */
async function bodyOf<T>(request: Request, schema: z.ZodMiniType<T>): Promise<T> {
  const parsed = schema.safeParse(await objectOf(request, BODY_LIMIT));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new EndpointError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not valid'}`);
}

export function listPeopleEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people, userId) => {
    const { searchParams } = new URL(request.url);
    if (searchParams.has('storage')) return json(200, await people.storage(userId));
    if (searchParams.has('members')) return json(200, await people.memberNames(userId));
    const ids = searchParams.get('ids');
    if (ids !== null) return json(200, await people.names(userId, ids.split(',').filter(Boolean).slice(0, MOST_NAMES)));
    const page = Number(searchParams.get('page') ?? 1);
    if (!Number.isInteger(page) || page < 1 || page > MOST_PAGES) {
      throw new EndpointError(400, `page must be a number from 1 to ${MOST_PAGES}.`);
    }
    return json(200, await people.list(userId, (searchParams.get('search') ?? '').slice(0, SEARCH_LENGTH), page));
  });
}

export function changePeopleEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people, userId) =>
    json(200, await people.act(userId, request.headers, await bodyOf(request, peopleActionSchema))),
  );
}

export function moderateEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people, userId) => {
    await people.moderate(userId, await bodyOf(request, moderationSchema));
    return json(200, {});
  });
}

/** For guests too: the sign-up page says who may write. */
export function siteStateEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return answer(async () => {
    const people = publishing?.people;
    if (!publishing || !people) return json(200, { writers: 'everyone', isWritersFixed: true, mayWrite: true });
    publishing.limits.siteStates.spend(address);
    const user = await publishing.verifySession(request.headers).catch(() => undefined);
    return answerOf(people.state(user?.id).then((state) => json(200, state)));
  });
}

export function changeWritersEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people, userId) => {
    await people.letWrite(userId, (await bodyOf(request, writersSchema)).writers);
    return json(200, await people.state(userId));
  });
}

export function claimEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people, userId) => {
    const { token } = await bodyOf(request, claimSchema);
    return people.inTurn(async () => {
      const ownerToken = publishing?.ownerToken;
      if (!ownerToken?.isRight(token)) {
        publishing?.limits.wrongTokens.spend(address);
        throw new EndpointError(422, 'wrong-token');
      }
      if (!(await people.claim(userId))) throw new EndpointError(422, 'has-owner');
      ownerToken.spend();
      return json(200, { role: 'owner' });
    });
  });
}

export function setPasswordEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forPeople(request, address, publishing, async (people) => {
    const { password } = await bodyOf(request, newPasswordSchema);
    if (!(await people.setPassword(request.headers, password))) throw new EndpointError(403, 'no-recent-link');
    return json(200, {});
  });
}

/** Answers a guest with the backend's secret in a one-time link that still holds; 404 for any other. */
export function openLinkEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return answer(async () => {
    const people = publishing?.people;
    if (!publishing || !people) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    requireSameOrigin(request, publishing.siteUrl);
    publishing.limits.oneTimeLinks.spend(address);
    const { userId, sealed } = await bodyOf(request, oneTimeLinkSchema);
    return answerOf(people.openLink(userId, sealed).then((secret) => json(200, { secret })));
  });
}
