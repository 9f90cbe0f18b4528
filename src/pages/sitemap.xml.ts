/** All public pages or, where there are many, the list of the parts that name them. */
import type { APIRoute } from 'astro';
import { SITEMAP_PART, sitemapIndex, urlSet } from '#blog/found/sitemap.ts';
import { sitemapAnswer } from './_sitemap.ts';

export const GET: APIRoute = (context) =>
  sitemapAnswer(context, (pages) =>
    pages.length > SITEMAP_PART ? sitemapIndex(context.locals.site, pages) : urlSet(context.locals.site, pages),
  );
