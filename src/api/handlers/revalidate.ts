/**
 * Responds to `{ slug }` once the post's page is stored or removed, and to `{ author: true }` once no page shows the
 * author's old name.
 */

import { addressesOfSlug } from '#blog/routes/post-address.ts';
import { authorTag } from '#blog/routes/tags.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { ApiError, type JsonObject, json } from '../json.ts';
import type { Call } from '../route.ts';

/** The slug of the changed post; undefined if the writer's name changed. */
type Changed = string | undefined;

export function changeOf({ slug, author }: JsonObject): Changed {
  if (typeof slug === 'string' && isSlug(slug)) return slug;
  if (author === true) return undefined;
  throw new ApiError(
    400,
    'Send { "slug": "…" }: 1 to 36 of a-z 0-9 . _ -, not starting with a mark; or { "author": true }.',
  );
}

export async function revalidate({ site, userId, body: slug }: Call<never, Changed>): Promise<Response> {
  // In development, no pages are stored, so there is nothing to render again.
  if (!site) return json(200, { revalidated: [] });
  const changed = slug === undefined ? { tags: [authorTag(userId)] } : { slugs: [slug] };
  const { revalidated, removed, failed } = await site.revalidate({ ...changed, userId, from: 'writer' });
  const mayBeShown = [...revalidated, ...failed.map(({ path }) => path)];
  const isGone = slug !== undefined && !addressesOfSlug(slug).some((path) => mayBeShown.includes(path));
  if (isGone) await site.tidyAfter?.(slug);
  if (failed.length === 0) return json(200, { revalidated, removed });
  const error =
    'The change is saved, but its page could not be rendered yet. The server renders it when the backend answers.';
  return json(503, { error, revalidated, removed, failed: failed.map(({ path }) => path) }, { 'retry-after': '5' });
}
