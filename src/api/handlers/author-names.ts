/**
 * Handles `GET /api/authors?posts=slug,slug`: returns names of public posts' authors by user id, as public pages show
 * them.
 */
import { ApiError, json } from '../json.ts';
import type { Call } from '../route.ts';

/** Appwrite's limit of values in a query. */
const MAX_POSTS = 100;

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
