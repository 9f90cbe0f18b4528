/** Posts link to pictures through this site's `/v1`, so links stay valid when the blog moves to another Appwrite. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, NO_ROUTE } from './gateway/failure.ts';

const FILE = /^\/v1\/storage\/buckets\/[^/?]+\/files\/[^/?]+\/(?:view|preview|download)\?/;
const REDIRECT_SECONDS = 300;

export function fileAddress(url: string, projectId: string): string {
  if (!FILE.test(url)) return url;
  return url.replace(/([?&]project=)[^&]*/, (_, name: string) => name + encodeURIComponent(projectId));
}

/** Returns the `/v1` handler for browsers that use `endpoint` directly: it redirects requests for files. */
export function redirectFiles(endpoint: string, projectId: string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? '';
    if (!FILE.test(url) || (request.method !== 'GET' && request.method !== 'HEAD')) return fail(response, NO_ROUTE);
    const location = endpoint + fileAddress(url, projectId).slice('/v1'.length);
    response.writeHead(307, { location, 'cache-control': `public, max-age=${REDIRECT_SECONDS}` }).end();
  };
}
