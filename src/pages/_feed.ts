/** Responses for feeds and sitemaps. The page store treats them like pages. */
import type { APIContext } from 'astro';
import { type SitemapPage, sitemapPages } from '#blog/routes/table.ts';
import { POST_DATES, POSTS } from '#blog/routes/tags.ts';
import { FEED_POSTS, FEEDS, type Feed, type FeedPath, feedOf } from '#blog/seo/feed.ts';
import { authorNames, authorTags, ONE_YEAR, postTags } from './_lists.ts';
import { kept } from './_stored.ts';

export function feedAnswer(context: APIContext, path: FeedPath, write: (feed: Feed) => string): Promise<Response> {
  const { reader, site, publishing, feedTexts } = context.locals;
  const type = FEEDS.find((feed) => feed.path === path)?.type;
  return kept(context, `${type}; charset=utf-8`, async () => {
    const { posts } = await reader.summaries(1, FEED_POSTS);
    const { authors, maxAge } = await authorNames(reader, posts);
    return {
      body: write(await feedOf(site, path, posts, feedTexts, authors, publishing?.webSubHub)),
      cache: { maxAge, tags: [POSTS, ...postTags(posts), ...authorTags(authors)] },
    };
  });
}

export const sitemapAnswer = (context: APIContext, write: (pages: SitemapPage[]) => string | undefined) =>
  kept(context, 'application/xml; charset=utf-8', async () => {
    const body = write(sitemapPages(await context.locals.reader.everyPost({ withPages: true }), context.locals.site));
    return body === undefined ? undefined : { body, cache: { maxAge: ONE_YEAR, tags: [POSTS, POST_DATES] } };
  });
