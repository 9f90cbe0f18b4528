import type { APIRoute } from 'astro';
import { securityText } from '#blog/seo/security-txt.ts';

export const GET: APIRoute = ({ locals: { publishing, site }, rewrite }) => {
  if (!publishing?.securityContact) return rewrite('/404');
  return new Response(securityText(site, publishing.securityContact, new Date()), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
  });
};
