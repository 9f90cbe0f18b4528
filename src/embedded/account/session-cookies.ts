/** The two cookies of a session, and the header that stands in for them where browsers drop them (contract 1.5). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Client } from '../http/client.ts';

/** `localhost` and addresses take no Domain attribute. */
function isPlainHost(host: string): boolean {
  return host === 'localhost' || isIP(host.replaceAll(/^\[|\]$/g, '')) !== 0;
}

/**
 * The part of a host name that one owner holds, guessed without the list of public suffixes: the last two labels, or
 * three where the last two are as short as those of `co.uk`.
 */
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
 * Whether the browser may not send our cookies back: a page of another site, or one nobody can tell. A page of this very
 * host and port has them as first-party cookies, so that its script need not hold the secret.
 */
function needsFallback(request: IncomingMessage): boolean {
  const page = URL.parse(request.headers.origin ?? request.headers.referer ?? '');
  const own = ownHost(request);
  if (!page || !own) return true;
  if (page.host !== '' && page.host === own.host) return false;
  const domain = registrableDomain(own.hostname);
  return domain === undefined || domain !== registrableDomain(page.hostname);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
}

function cookies({ request, client: { secure } }: Exchange, project: string, value: string, expire: Date): string[] {
  const host = ownHost(request)?.hostname ?? 'localhost';
  const seconds = Math.max(0, Math.round((expire.getTime() - Date.now()) / 1000));
  const attributes = [
    `Expires=${expire.toUTCString()}`,
    `Max-Age=${seconds}`,
    'Path=/',
    ...(isPlainHost(host) ? [] : [`Domain=.${host}`]),
    ...(secure ? ['Secure'] : []),
    'HttpOnly',
  ].join('; ');
  const name = `a_session_${project.toLowerCase()}`;
  // Browsers drop SameSite=None without Secure.
  const sameSite = secure ? 'None' : 'Lax';
  return [`${name}_legacy=${value}; ${attributes}`, `${name}=${value}; ${attributes}; SameSite=${sameSite}`];
}

/** @param value see `encodeSession`. @param expire date of the contract's form. */
export function setSessionCookies(exchange: Exchange, project: string, value: string, expire: string): void {
  const { request, response } = exchange;
  response.setHeader('Set-Cookie', cookies(exchange, project, value, new Date(expire)));
  if (needsFallback(request)) {
    response.setHeader('X-Fallback-Cookies', JSON.stringify({ [`a_session_${project}`]: value }));
  }
}

export function clearSessionCookies(exchange: Exchange, project: string): void {
  const { request, response } = exchange;
  response.setHeader('Set-Cookie', cookies(exchange, project, 'deleted', new Date(1000)));
  if (needsFallback(request)) response.setHeader('X-Fallback-Cookies', '[]');
}
