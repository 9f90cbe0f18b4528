/** The IndexNow key file. It proves to search engines that reports of changed pages come from this site. */
import type { APIRoute } from 'astro';

export const GET: APIRoute = ({ params, locals, rewrite }) => {
  const key = locals.publishing?.indexNowKey;
  if (!key || params.key !== key) return rewrite('/404');
  return new Response(key, { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' } });
};
