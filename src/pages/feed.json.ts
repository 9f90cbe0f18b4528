import type { APIRoute } from 'astro';
import { JSON_FEED } from '#blog/routes/paths.ts';
import { jsonFeed } from '#blog/seo/json-feed.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, JSON_FEED, jsonFeed);
