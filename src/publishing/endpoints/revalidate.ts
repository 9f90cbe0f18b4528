/**
 * `POST /api/revalidate` `{ slug }`: a signed-in writer says that a post changed; the answer comes when it is stored.
 * `{ author: true }`: the writer's own name changed; the answer comes when no page shows the former one.
 */

import { postPath } from '#blog/routes/paths.ts';
import { authorTag } from '#blog/routes/tags.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 4096;

export function revalidateEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    // In development nothing is stored.
    if (!publishing) return json(200, { revalidated: [] });
    requireSameOrigin(request, publishing.siteUrl);
    const { slug, author } = await objectOf(request, BODY_LIMIT);
    if (author !== true && (typeof slug !== 'string' || !isSlug(slug))) {
      throw new EndpointError(
        400,
        'Send { "slug": "…" }: 1 to 36 of a-z 0-9 . _ -, not starting with a mark; or { "author": true }.',
      );
    }
    const userId = await signedIn(request, caller, publishing, 'Sign in to publish.');
    publishing.limits.revalidations.spend(userId);
    const changed = typeof slug === 'string' ? { slugs: [slug] } : { tags: [authorTag(userId)] };
    const { revalidated, removed, failed } = await publishing.revalidate({ ...changed, userId, from: 'writer' });
    if (failed.length === 0) {
      if (typeof slug === 'string' && !revalidated.includes(postPath(slug))) await publishing.tidyAfter?.(slug);
      return json(200, { revalidated, removed });
    }
    const error = 'The write is safe, but its page could not be made just now. It is made when the backend answers.';
    return json(503, { error, revalidated, removed, failed: failed.map(({ path }) => path) }, { 'retry-after': '5' });
  });
}
