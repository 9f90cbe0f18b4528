/** The style sheet from the owner's settings; empty if unset. */
import type { APIRoute } from 'astro';
import { SITE } from '#blog/routes/tags.ts';
import { ownCss } from '#blog/theme/own-css.ts';
import { ONE_YEAR } from './_lists.ts';
import { kept } from './_stored.ts';

export const GET: APIRoute = (context) =>
  kept(context, 'text/css; charset=utf-8', async () => ({
    body: ownCss(context.locals.theme.ownCss),
    cache: { maxAge: ONE_YEAR, tags: [SITE] },
  }));
