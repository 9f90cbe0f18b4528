/** What of a request's and an answer's headers passes the gateway, and in which form. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Headers of one connection, not of the message (RFC 9110 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface GatewayOptions {
  /** The remote Appwrite, ending in `/v1`. */
  readonly endpoint: URL;
  readonly projectId: string;
  /** The site's own origin: its pages' requests are first-party and carry no Origin further. */
  readonly siteOrigin: string;
}

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(`${headers.connection ?? ''}`.toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  ) as OutgoingHttpHeaders;
}

/** Only the session's own cookies leave the site; anything else a visitor's browser holds for it stays here. */
function sessionCookies(cookie: string | undefined, projectId: string): string | undefined {
  const names = [`a_session_${projectId}`, `a_session_${projectId}_legacy`].map((name) => name.toLowerCase());
  const kept = (cookie ?? '')
    .split(/;\s*/)
    .filter((pair) => names.includes(pair.slice(0, Math.max(pair.indexOf('='), 0)).toLowerCase()));
  return kept.length > 0 ? kept.join('; ') : undefined;
}

/** The headers with which a browser's request goes on to the remote Appwrite. */
export function requestHeaders(request: IncomingMessage, options: GatewayOptions): OutgoingHttpHeaders {
  const headers = endToEnd(request.headers);
  const address = request.socket.remoteAddress ?? '';
  const before = request.headers['x-forwarded-for'];
  headers.host = options.endpoint.host;
  headers['x-forwarded-for'] = before ? `${before}, ${address}` : address;
  const cookie = sessionCookies(request.headers.cookie, options.projectId);
  if (cookie) headers.cookie = cookie;
  else delete headers.cookie;
  // The session lives in the cookie; what a page might have kept in its storage is not believed.
  delete headers['x-fallback-cookies'];
  if (headers.origin === options.siteOrigin) {
    delete headers.origin;
    delete headers.referer;
  }
  return headers;
}

/** A remote cookie as this site's own: no Domain, SameSite=Lax, Secure where the site is on https. */
function firstParty(cookie: string, secure: boolean): string {
  const [pair = '', ...attributes] = cookie.split(/;\s*/);
  const kept = attributes.filter((attribute) => !/^(domain|samesite|secure)\b/i.test(attribute));
  return [pair, ...kept, 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ');
}

/** The headers with which the remote answer reaches the browser. */
export function responseHeaders(
  response: IncomingMessage,
  options: GatewayOptions,
  sameOrigin: boolean,
): OutgoingHttpHeaders {
  const headers = endToEnd(response.headers);
  const cookies = response.headers['set-cookie'];
  if (cookies) {
    const secure = options.siteOrigin.startsWith('https:');
    headers['set-cookie'] = cookies.map((cookie) => firstParty(cookie, secure));
  }
  // A secret in this header would end in the browser's localStorage.
  delete headers['x-fallback-cookies'];
  delete headers['strict-transport-security'];
  if (sameOrigin) {
    for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
  }
  return headers;
}
