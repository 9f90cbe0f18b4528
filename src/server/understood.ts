/**
 * Requests whose target or host leads nowhere. The framework makes an address of both; where that fails, it would answer
 * with the home page, or with an error that looks like ours.
 */
import type { IncomingMessage } from 'node:http';
import { isHost } from '#publishing/plain/host.ts';

/**
 * Whether a request names one place of this site. A target that names the host as well (RFC 9112, 3.2.2) is made a
 * path: the site has the same pages under every name.
 */
export function isUnderstood(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (!url.startsWith('/')) {
    const path = /^https?:\/\/[^/?#]+(.*)$/i.exec(url)?.[1];
    if (path === undefined) return false;
    request.url = path.startsWith('/') ? path : `/${path}`;
  }
  const { host } = request.headers;
  // The oldest protocol has none.
  if (host === undefined) return request.httpVersionMajor === 1 && request.httpVersionMinor === 0;
  return isHost(host) && namedOnce(request.rawHeaders);
}

function namedOnce(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1;
}

/** Whether a program asks for one of the site's endpoints: the backend's own (`/v1/`) are answered before. */
export const isForEndpoint = ({ url = '' }: IncomingMessage): boolean => /^\/api\//.test(url);

/**
 * Whether any address of that kind answers to the method: pages and files can only be read. The framework would give a
 * page, or a refusal in one line, to whoever sends something; a TRACE it cannot hold.
 */
export function isAnswered(request: IncomingMessage): boolean {
  const { method } = request;
  return method === 'GET' || method === 'HEAD' || (isForEndpoint(request) && method !== 'TRACE');
}

/**
 * `url` with a query that can be read: the framework refuses one in which a per cent sign stands for itself, as in a
 * search for "100%" that was typed into the address.
 */
export function withReadableQuery(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0) return url;
  try {
    decodeURI(url.slice(mark));
    return url;
  } catch {
    return `${url.slice(0, mark)}?${new URLSearchParams(url.slice(mark))}`;
  }
}
