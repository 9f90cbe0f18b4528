import type { APIRoute } from 'astro';
import { rss } from '#blog/found/rss.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, '/feed.xml', rss);
