import type { APIRoute } from 'astro';
import { jsonFeed } from '#blog/found/json-feed.ts';
import { JSON_FEED } from '#blog/routes/paths.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, JSON_FEED, jsonFeed);
