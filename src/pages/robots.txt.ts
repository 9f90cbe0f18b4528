import type { APIRoute } from 'astro';
import { robots } from '#blog/seo/sitemap.ts';
import { ONE_YEAR } from './_lists.ts';
import { kept } from './_stored.ts';

export const GET: APIRoute = (context) =>
  kept(context, 'text/plain; charset=utf-8', async () => ({
    body: robots(context.locals.site),
    cache: { maxAge: ONE_YEAR, tags: [] },
  }));
