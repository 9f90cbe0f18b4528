/**
 * Requests whose target or host leads nowhere. The framework makes an address of both; where that fails, it would answer
 * with the home page, or with an error that looks like ours.
 */
import type { IncomingMessage } from 'node:http';
import { isHost } from './host.ts';

/**
 * Whether a request names one place of this site, and one host. A target that names the host as well (RFC 9112, 3.2.2)
 * is made a path: the site has the same pages under every name. Where it names another host than the header, two
 * servers in a row could take the request for two different ones.
 */
export function isValidRequest(request: IncomingMessage): boolean {
  const { url = '', rawHeaders } = request;
  const { host } = request.headers;
  // The oldest protocol has none.
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

/** Whether two name the same host and port under a scheme, which has a usual port. */
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
