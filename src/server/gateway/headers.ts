import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Client, ClientOf } from '@common-ink/http/client-address.ts';
import { isOwnOrigin } from '@common-ink/http/host.ts';
import { endToEndHeaders } from '@common-ink/http/proxy/end-to-end-headers.ts';

/** Forwarding headers dropped from requests: clients can forge them, so this server determines the address itself. */
const FORWARDED = ['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip'];
const OF_THE_REMOTE_HOST = ['alt-svc', 'clear-site-data', 'nel', 'report-to', 'strict-transport-security'];

export interface GatewayOptions {
  /** URL of the remote Appwrite, ending in `/v1`. */
  readonly endpoint: URL;
  readonly projectId: string;
  /** The site's own origin: requests from it are first-party, and are forwarded without `Origin`. */
  readonly siteOrigin: string;
  readonly clientOf: ClientOf;
}

/** Returns only the session's cookies; no other cookies are forwarded to Appwrite. */
function sessionCookies(cookie: string | undefined, projectId: string): string | undefined {
  const names = [`a_session_${projectId}`, `a_session_${projectId}_legacy`].map((name) => name.toLowerCase());
  const kept = (cookie ?? '')
    .split(/;\s*/)
    .filter((pair) => names.includes(pair.slice(0, Math.max(pair.indexOf('='), 0)).toLowerCase()));
  return kept.length > 0 ? kept.join('; ') : undefined;
}

function isFirstParty({ headers: { origin, host } }: IncomingMessage, { siteOrigin }: GatewayOptions): boolean {
  return origin === undefined || isOwnOrigin(origin, siteOrigin, host);
}

export function requestHeaders(request: IncomingMessage, options: GatewayOptions): OutgoingHttpHeaders {
  const headers = endToEndHeaders(request.headers);
  headers.host = options.endpoint.host;
  for (const name of FORWARDED) delete headers[name];
  headers['x-forwarded-for'] = options.clientOf(request).address;
  const isOwn = isFirstParty(request, options);
  // Requests from another site's pages are sent as a guest's, without this site's session.
  const cookie = isOwn ? sessionCookies(request.headers.cookie, options.projectId) : undefined;
  if (cookie) headers.cookie = cookie;
  else delete headers.cookie;
  delete headers['x-fallback-cookies'];
  if (isOwn) delete headers.origin;
  if (isOwnOrigin(request.headers.referer ?? '', options.siteOrigin, request.headers.host)) delete headers.referer;
  // Without this, Node.js would send the body of a DELETE unframed.
  if (request.headers['transfer-encoding']) headers['transfer-encoding'] = 'chunked';
  return headers;
}

/** Returns a remote cookie as this site's own: no Domain, SameSite=Lax, Secure on https. */
function firstParty(cookie: string, secure: boolean): string {
  const [pair = '', ...attributes] = cookie.split(/;\s*/);
  const kept = attributes.filter((attribute) => !/^(domain|samesite|secure|partitioned)\b/i.test(attribute));
  return [pair, ...kept, 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ');
}

export function responseHeaders(
  response: IncomingMessage,
  request: IncomingMessage,
  options: GatewayOptions,
): OutgoingHttpHeaders {
  const headers = endToEndHeaders(response.headers);
  const isOwn = isFirstParty(request, options);
  const cookies = response.headers['set-cookie'];
  if (cookies) {
    const { secure }: Client = options.clientOf(request);
    headers['set-cookie'] = cookies.map((cookie) =>
      firstParty(cookie, secure || options.siteOrigin.startsWith('https:')),
    );
  }
  // A secret in this header would end up in the browser's localStorage.
  delete headers['x-fallback-cookies'];
  for (const name of OF_THE_REMOTE_HOST) delete headers[name];
  if (isOwn) {
    for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
  } else {
    // Other origins that Appwrite allows may call it only as guests.
    delete headers['access-control-allow-credentials'];
    delete headers['set-cookie'];
  }
  return headers;
}
