/**
 * Texts name their pictures by the site's own address (`/v1/storage/…/view?project=…`), whichever backend the site has.
 * A blog that has moved may have another project now, or an Appwrite that browsers reach elsewhere: the address stays.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, NO_ROUTE } from './gateway/failure.ts';

const FILE = /^\/v1\/storage\/buckets\/[^/?]+\/files\/[^/?]+\/(?:view|preview|download)\?/;
/** How long a browser may go by what it was told. Seconds. */
const KEPT = 300;

/** `url` with the site's project, where it is the address of a file; any other as it is. */
export function fileAddress(url: string, projectId: string): string {
  if (!FILE.test(url)) return url;
  return url.replace(/([?&]project=)[^&]*/, (_, name: string) => name + encodeURIComponent(projectId));
}

/** Answers below `/v1` where browsers go to `endpoint` themselves: files are there, and nothing else was ever here. */
export function redirectFiles(endpoint: string, projectId: string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? '';
    if (!FILE.test(url) || (request.method !== 'GET' && request.method !== 'HEAD')) return fail(response, NO_ROUTE);
    const location = endpoint + fileAddress(url, projectId).slice('/v1'.length);
    response.writeHead(307, { location, 'cache-control': `public, max-age=${KEPT}` }).end();
  };
}
