/**
 * Checks a request's target and host, because the framework would respond to invalid ones with the home page or an
 * error.
 */
import type { IncomingMessage } from 'node:http';
import { isHost } from './host.ts';

/**
 * Returns true if the request has one valid path and one valid host. Turns an absolute target (RFC 9112, 3.2.2) into a
 * path; its host must equal `Host`, because a proxy may use one of them and the server the other.
 */
export function isValidRequest(request: IncomingMessage): boolean {
  const { url = '', rawHeaders } = request;
  const { host } = request.headers;
  // HTTP/1.0 requests need no Host.
  const isNamed =
    host === undefined
      ? request.httpVersionMajor === 1 && request.httpVersionMinor === 0
      : isHost(host) && namedOnce(rawHeaders);
  if (!isNamed || url.startsWith('/')) return isNamed;
  const [, scheme, authority = '', path] = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (path === undefined || (host !== undefined && !isSameHost(`${scheme}://`, authority, host))) return false;
  request.url = path.startsWith('/') ? path : `/${path}`;
  return true;
}

function isSameHost(scheme: string, one: string, other: string): boolean {
  const [named, called] = [one, other].map((host) => URL.parse(scheme + host)?.host);
  return named !== undefined && named === called;
}

function namedOnce(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1;
}

/**
 * Encodes bare per cent signs in the query, because the framework refuses them. They occur when a reader types a search
 * such as "100%" into the address bar.
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
