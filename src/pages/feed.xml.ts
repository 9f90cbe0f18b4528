import type { APIRoute } from 'astro';
import { RSS_FEED } from '#blog/routes/paths.ts';
import { rss } from '#blog/seo/rss.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, RSS_FEED, rss);
