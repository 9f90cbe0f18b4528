/**
 * `GET /api/authors?posts=slug,slug`: the names of those who wrote public posts, by user id, which public pages show as
 * well. Somebody without a public post has no name here. One question of the backend for all of them.
 */

import type { EndpointLimits } from './guards/limits.ts';
import { answer, EndpointError, json } from './json-endpoint.ts';

/** Values that one query of Appwrite takes. */
const MOST_POSTS = 100;

/** Names by user id. Rejects when the backend does not answer. */
export type AuthorNames = (slugs: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function authorNamesEndpoint(
  request: Request,
  address: string,
  limits: EndpointLimits | undefined,
  authorNames: AuthorNames,
): Promise<Response> {
  return answer(async () => {
    limits?.authorNames.spend(address);
    const slugs = (new URL(request.url).searchParams.get('posts') ?? '').split(',').filter(Boolean);
    if (slugs.length > MOST_POSTS) throw new EndpointError(400, `posts may name at most ${MOST_POSTS} of them.`);
    const names = await authorNames(slugs).catch(() => {
      throw new EndpointError(503, 'The backend did not answer. Try again shortly.', { 'retry-after': '5' });
    });
    return json(200, Object.fromEntries([...names].filter(([, name]) => name)));
  });
}
