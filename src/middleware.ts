/** Compresses responses, and redirects old addresses that have no page. */
import { defineMiddleware } from 'astro:middleware';
import { compressResponse } from '#server/astro/compress-response.ts';

export const onRequest = defineMiddleware(async (context, next) => {
  const response = await next();
  const { forStore, redirects } = context.locals;
  const answer = () => (forStore ? response : compressResponse(context.request, response));
  if (response.status !== 404 || !/^(?:GET|HEAD)$/.test(context.request.method)) return answer();
  const target = await redirects.targetOf(context.url.pathname + context.url.search);
  if (target === undefined) return answer();
  // A permanent redirect, cached for one hour only, because a post may get this address later.
  return new Response(null, { status: 301, headers: { Location: target, 'Cache-Control': 'public, max-age=3600' } });
});
