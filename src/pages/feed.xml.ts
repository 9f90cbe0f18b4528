import type { APIRoute } from 'astro';
import { rss } from '#blog/found/rss.ts';
import { RSS_FEED } from '#blog/routes/paths.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, RSS_FEED, rss);
