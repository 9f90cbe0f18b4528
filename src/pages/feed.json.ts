import type { APIRoute } from 'astro';
import { jsonFeed } from '#blog/found/json-feed.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, '/feed.json', jsonFeed);
