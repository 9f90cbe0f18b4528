import type { APIRoute } from 'astro';
import { robots } from '#blog/seo/sitemap.ts';
import { kept } from './_feed.ts';
import { ONE_YEAR } from './_list.ts';

export const GET: APIRoute = (context) =>
  kept(context, 'text/plain; charset=utf-8', async () => ({
    body: robots(context.locals.site),
    maxAge: ONE_YEAR,
    tags: [],
  }));
