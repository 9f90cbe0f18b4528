import type { APIRoute } from 'astro';
import { sitemapParts } from '#blog/routes/table.ts';
import { sitemapIndex, urlSet } from '#blog/seo/sitemap.ts';
import { sitemapAnswer } from './_feed.ts';

export const GET: APIRoute = (context) =>
  sitemapAnswer(context, (pages) =>
    sitemapParts(pages.length) > 0 ? sitemapIndex(context.locals.site, pages) : urlSet(context.locals.site, pages),
  );
