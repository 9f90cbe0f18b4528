/** Hands every page what it may ask: the site's public settings, the reader of posts, and publishing. */
import { defineMiddleware } from 'astro:middleware';
import { siteContext } from '#server/context.ts';

export const onRequest = defineMiddleware((context, next) => {
  Object.assign(context.locals, siteContext());
  return next();
});
