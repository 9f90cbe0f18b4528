import type { APIRoute } from 'astro';
import { atom } from '#blog/found/atom.ts';
import { ATOM_FEED } from '#blog/routes/paths.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, ATOM_FEED, atom);
