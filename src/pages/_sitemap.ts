/** The sitemap's pages, cached until any post changes. */
import type { APIContext } from 'astro';
import { type SitemapPage, sitemapPages } from '#blog/routes/table.ts';
import { POST_DATES, POSTS } from '#blog/routes/tags.ts';
import { kept } from './_feed.ts';
import { ONE_YEAR } from './_list.ts';

export function sitemapAnswer(
  context: APIContext,
  write: (pages: SitemapPage[]) => string | undefined,
): Promise<Response> {
  return kept(context, 'application/xml; charset=utf-8', async () => {
    const body = write(sitemapPages(await context.locals.reader.everyPost()));
    return body === undefined ? undefined : { body, maxAge: ONE_YEAR, tags: [POSTS, POST_DATES] };
  });
}
