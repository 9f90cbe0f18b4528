import type { APIRoute } from 'astro';
import { sitemapParts } from '#blog/routes/table.ts';
import { sitemapPart, urlSet } from '#blog/seo/sitemap.ts';
import { sitemapAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => {
  const part = /^[1-9][0-9]{0,3}$/.test(context.params.part ?? '') ? Number(context.params.part) : 0;
  return sitemapAnswer(context, (pages) => {
    const parts = sitemapParts(pages.length);
    return part >= 1 && part <= parts ? urlSet(context.locals.site, sitemapPart(pages, part)) : undefined;
  });
};
