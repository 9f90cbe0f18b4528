/** Sets a session's two cookies, and the fallback header for browsers that drop them (contract 1.5). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Client } from '@common-ink/http/client-address.ts';
import type { EmbeddedOptions } from '../../kernel.ts';

/** Returns true for `localhost` and IP addresses, whose cookies must not have a Domain attribute. */
function isPlainHost(host: string): boolean {
  return host === 'localhost' || isIP(host.replaceAll(/^\[|\]$/g, '')) !== 0;
}

/** Guesses the registrable domain: the last two labels, or the last three if those two are short, as in `co.uk`. */
function registrableDomain(host: string): string | undefined {
  if (isPlainHost(host)) return undefined;
  const labels = host.split('.');
  if (labels.length < 2) return undefined;
  const short = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(short ? -3 : -2).join('.');
}

function ownHost(request: IncomingMessage): URL | null {
  return URL.parse(`http://${request.headers.host ?? 'localhost'}`);
}

/**
 * Returns true if the browser might not send the session cookies back, because the page is on another or an unknown
 * site. A page on this host and port gets first-party cookies, so its scripts do not need the secret.
 */
function needsFallback(request: IncomingMessage): boolean {
  const page = URL.parse(request.headers.origin ?? request.headers.referer ?? '');
  const own = ownHost(request);
  if (!page || !own) return true;
  if (page.host !== '' && page.host === own.host) return false;
  const domain = registrableDomain(own.hostname);
  return domain === undefined || domain !== registrableDomain(page.hostname);
}

interface ClientRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
}

export type CookieOptions = Pick<EmbeddedOptions, 'projectId' | 'ownOrigins' | 'webOrigins'>;

const LONG_AGO = new Date(1000);
const DELETED = 'deleted';

function cookies(context: ClientRequest, options: CookieOptions, value: string, expire: Date): string[] {
  const { request, client } = context;
  const hostname = ownHost(request)?.hostname ?? 'localhost';
  const name = `a_session_${options.projectId.toLowerCase()}`;
  const hasOtherClients = options.webOrigins.length > 0;
  // A `Host` equal to one of our https origins shows that the browser uses https, even behind an untrusted proxy.
  const calledByTls = URL.parse(`https://${request.headers.host}`)?.origin ?? '';
  const secure = client.secure || options.ownOrigins?.includes(calledByTls);
  // Browsers reject cookies with SameSite=None but without Secure.
  const sameSite = hasOtherClients && secure ? 'None' : 'Lax';

  const lines = (content: string, end: Date, withDomain: boolean): string[] => {
    const seconds = Math.max(0, Math.round((end.getTime() - Date.now()) / 1000));
    const attributes = [
      `Expires=${end.toUTCString()}`,
      `Max-Age=${seconds}`,
      'Path=/',
      ...(withDomain ? [`Domain=.${hostname}`] : []),
      ...(secure ? ['Secure'] : []),
      'HttpOnly',
    ].join('; ');
    const twin = hasOtherClients ? '' : '; SameSite=Lax';
    return [
      `${name}_legacy=${content}; ${attributes}${twin}`,
      `${name}=${content}; ${attributes}; SameSite=${sameSite}`,
    ];
  };
  if (isPlainHost(hostname)) return lines(value, expire, false);
  // Browsers keep cookies with and without Domain side by side and send both, so this deletes the other variant first.
  return [...lines(DELETED, LONG_AGO, !hasOtherClients), ...lines(value, expire, hasOtherClients)];
}

/**
 * Sets host-only cookies with SameSite=Lax. If `webOrigins` allows other sites, sets the cookies that the contract
 * specifies instead: valid on subdomains too, and sent cross-site.
 * @param value see `encodeSession`
 * @param expire expiry date in the contract's form
 */
export function setSessionCookies(context: ClientRequest, options: CookieOptions, value: string, expire: string): void {
  const { request, response } = context;
  response.setHeader('Set-Cookie', cookies(context, options, value, new Date(expire)));
  if (needsFallback(request)) {
    response.setHeader('X-Fallback-Cookies', JSON.stringify({ [`a_session_${options.projectId}`]: value }));
  }
}

export function clearSessionCookies(context: ClientRequest, options: CookieOptions): void {
  const { request, response } = context;
  response.setHeader('Set-Cookie', cookies(context, options, DELETED, LONG_AGO));
  if (needsFallback(request)) response.setHeader('X-Fallback-Cookies', '[]');
}
