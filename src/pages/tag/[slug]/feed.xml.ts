import type { APIRoute } from 'astro';
import { RSS_FEED, tagFeedPath, tagPath } from '#blog/routes/paths.ts';
import { absolute } from '#blog/seo/addresses.ts';
import { FEED_POSTS, feedOf } from '#blog/seo/feed.ts';
import { rss } from '#blog/seo/rss.ts';
import { loadTag } from '../../_lists.ts';
import { kept } from '../../_stored.ts';

export const GET: APIRoute = (context) =>
  kept(context, 'application/rss+xml; charset=utf-8', async () => {
    const { reader, site, publishing, feedTexts } = context.locals;
    const slug = context.params.slug ?? '';
    const tag = await loadTag(reader, slug, 1, FEED_POSTS);
    if (!tag) return undefined;
    const feed = await feedOf(site, RSS_FEED, tag.posts, feedTexts, tag.authors, publishing?.webSubHub);
    const [home, self] = [tagPath(slug), tagFeedPath(slug)].map((path) => absolute(site, path)) as [string, string];
    return { body: rss({ ...feed, title: `${site.name}: ${tag.name}`, home, self }), cache: tag.cache };
  });
