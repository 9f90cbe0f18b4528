import type { APIRoute } from 'astro';
import { ATOM_FEED } from '#blog/routes/paths.ts';
import { atom } from '#blog/seo/atom.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, ATOM_FEED, atom);
