/** Handles routes for members and writers. `backend/people` and the backend check the caller's rights. */
import type { Moderation, PeopleAction, Writers } from '#blog/people.ts';
import { ApiError, json } from '../json.ts';
import type { Call } from '../route.ts';

const SEARCH_MAX_LENGTH = 100;
const MAX_PAGES = 10_000;

export async function listPeople({ site: { people }, userId, query }: Call<'people'>): Promise<Response> {
  if (query.has('storage')) return json(200, await people.storage(userId));
  if (query.has('members')) return json(200, await people.memberNames(userId));
  const page = Number(query.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > MAX_PAGES) {
    throw new ApiError(400, `page must be a number from 1 to ${MAX_PAGES}.`);
  }
  return json(200, await people.list(userId, (query.get('search') ?? '').slice(0, SEARCH_MAX_LENGTH), page));
}

export const changePeople = async ({ request, site, userId, body }: Call<'people', PeopleAction>) =>
  json(200, await site.people.act(userId, request.headers, body));

export async function moderate({ site, userId, body }: Call<'people', Moderation>): Promise<Response> {
  await site.people.moderate(userId, body);
  return json(200, {});
}

/** Also responds to guests, because the sign-up page shows who may write. */
export async function siteState({ request, site }: Call): Promise<Response> {
  if (!site?.people) return json(200, { writers: 'everyone', isWritersFixed: true, mayWrite: true });
  const user = await site.verifySession(request.headers).catch(() => undefined);
  return json(200, await site.people.state(user?.id));
}

export async function changeWriters({ site, userId, body }: Call<'people', { writers: Writers }>) {
  await site.people.letWrite(userId, body.writers);
  await site.revalidate({ settings: true, from: 'backend' });
  return json(200, await site.people.state(userId));
}

export function claim({ site, address, userId, body: { token } }: Call<'people', { token: string }>) {
  const { people, ownerToken, limits } = site;
  return people.inTurn(async () => {
    if (!ownerToken?.isRight(token)) {
      limits.wrongTokens.spend(address);
      throw new ApiError(422, 'wrong-token');
    }
    if (!(await people.claim(userId))) throw new ApiError(422, 'has-owner');
    ownerToken.spend();
    return json(200, { role: 'owner' });
  });
}

/** Appwrite's maximum number of values in a query. */
const MAX_POSTS = 100;

/** Handles `?posts=slug,slug`: responds with the names of the public posts' authors, keyed by user id. */
export async function authorNames({ query, reader }: Call): Promise<Response> {
  const slugs = (query.get('posts') ?? '').split(',').filter(Boolean);
  if (slugs.length > MAX_POSTS) throw new ApiError(400, `posts may name at most ${MAX_POSTS} of them.`);
  const posts = await reader.postsBySlug(slugs).catch(() => {
    throw new ApiError(503, 'The backend did not answer. Try again shortly.', { 'retry-after': '5' });
  });
  const ids = [...new Set(posts.map(({ userId }) => userId))];
  const names = await Promise.all(ids.map((id) => reader.authorName(id).catch(() => '')));
  return json(200, Object.fromEntries(ids.map((id, i) => [id, names[i]]).filter(([, name]) => name)));
}
