import type { APIRoute } from 'astro';
import { atom } from '#blog/found/atom.ts';
import { feedAnswer } from './_feed.ts';

export const GET: APIRoute = (context) => feedAnswer(context, '/atom.xml', atom);
