/** Finds out which user sent a request, by asking the backend about the request's session. */

import { Account, type Client } from 'node-appwrite';
import { DomainError, faultOf } from '#blog/errors.ts';
import { ReadingClient } from './server/reading-client.ts';

export interface SessionBackend {
  /** Absolute URL ending in `/v1`, reachable from this machine. */
  readonly endpoint: string;
  readonly projectId: string;
  /** Returns the loopback port that serves the endpoint during shutdown, after the server's own port has closed. */
  readonly portNow?: (() => number | undefined) | undefined;
}

/**
 * Returns the user whose session a request's headers contain, in the cookie `a_session_<project>` or its `_legacy`
 * twin, the browser SDK's `X-Fallback-Cookies` or an `X-Appwrite-JWT`; undefined for a guest or an ended session.
 * @throws DomainError `unavailable` if the backend does not respond
 */
export async function verifySession(
  backend: SessionBackend,
  headers: Headers,
): Promise<{ readonly id: string } | undefined> {
  if (!headers.has('x-appwrite-jwt') && sessionOf(headers, backend.projectId) === undefined) return undefined;
  try {
    const { $id } = await new Account(clientOfCaller(backend, headers)).get();
    return { id: $id };
  } catch (error) {
    const { code, message } = faultOf(error);
    if (code >= 400 && code < 500 && code !== 429) return undefined;
    const text = `The backend did not say who is signed in: ${message || 'no reason given'}`;
    throw new DomainError('unavailable', text, { cause: error });
  }
}

/** Returns a client that acts as the caller, or as a guest if the headers contain no session. */
export function clientOfCaller({ endpoint, projectId, portNow }: SessionBackend, headers: Headers): Client {
  const client = new ReadingClient(portNow).setEndpoint(endpoint).setProject(projectId);
  const jwt = headers.get('x-appwrite-jwt');
  const session = sessionOf(headers, projectId);
  // The JWT takes precedence: the caller made it for this request, while a cookie may remain from an ended session.
  if (jwt) client.setJWT(jwt);
  else if (session) client.setSession(session);
  return client;
}

/** Returns the session's secret. Checks its sources in the contract's order (1.3) and uses the first that has one. */
export function sessionOf(headers: Headers, projectId: string): string | undefined {
  const name = `a_session_${projectId}`;
  const cookies = cookiesOf(headers.get('cookie') ?? '');
  const candidates = [
    // The backend writes cookie names in lower case.
    cookies.get(name.toLowerCase()),
    cookies.get(`${name.toLowerCase()}_legacy`),
    fallbackOf(headers.get('x-fallback-cookies') ?? '', name),
  ];
  return candidates.find((value) => value !== undefined && /^[A-Za-z0-9+/=_-]{1,4096}$/.test(value));
}

function cookiesOf(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const mark = pair.indexOf('=');
    if (mark > 0) cookies.set(pair.slice(0, mark).trim().toLowerCase(), decoded(pair.slice(mark + 1).trim()));
  }
  return cookies;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function fallbackOf(header: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(header) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
