/** The IndexNow key file, by which search engines verify that this site sent the reports of changed pages. */
import type { APIRoute } from 'astro';

export const GET: APIRoute = ({ params, locals, rewrite }) => {
  const key = locals.publishing?.indexNowKey;
  if (!key || params.key !== key) return rewrite('/404');
  return new Response(key, { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' } });
};
