/** The tags in use, sorted by name, with spellings and counts, for tag suggestions in the post form. */
import type { APIRoute } from 'astro';
import { POSTS, TAG_COUNTS } from '#blog/routes/tags.ts';
import { loadTags } from './_archive.ts';
import { ONE_YEAR } from './_lists.ts';
import { kept } from './_stored.ts';

export const GET: APIRoute = (context) =>
  kept(context, 'application/json; charset=utf-8', async () => ({
    body: JSON.stringify({ tags: await loadTags(context.locals.reader) }),
    cache: { maxAge: ONE_YEAR, tags: [POSTS, TAG_COUNTS] },
  }));
