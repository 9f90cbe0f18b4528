/** Serves the fonts that a site's owner put beside the settings. Their addresses name their content, so they stay for ever. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** True when it has answered: GET and HEAD of one of `files`, which are fonts by their addresses. */
export function serveSiteFiles(files: ReadonlyMap<string, Buffer>) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (files.size === 0 || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const body = files.get(request.url ?? '');
    if (!body) return false;
    response.writeHead(200, {
      'content-type': 'font/woff2',
      'content-length': body.length,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    // Node leaves the body of a HEAD away.
    response.end(body);
    return true;
  };
}
