/** Reads a request's credentials from cookies and session headers (contract 1.2, 1.5). */
import type { IncomingMessage } from 'node:http';

function cookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim().toLowerCase() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (value === '') continue;
    if (!value.includes('%')) return value;
    try {
      return decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Returns a header's value; the last one if Node returns a list. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.at(-1);
}

function fallbackCookie(text: string | undefined, project: string): string | undefined {
  if (!text) return undefined;
  try {
    const cookies: unknown = JSON.parse(text);
    const value = (cookies as Record<string, unknown> | null)?.[`a_session_${project}`];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface SessionClaim {
  readonly via: 'cookie' | 'header' | 'fallback';
  /** Base64 of `{"id":"<user>","secret":"<256 hex>"}`. */
  readonly value: string;
}

/** Returns the session secrets of a request, highest priority first. */
export function sessionClaims(request: IncomingMessage, project: string): SessionClaim[] {
  const claims: SessionClaim[] = [];
  const cookies = request.headers.cookie;
  if (cookies) {
    const name = `a_session_${project.toLowerCase()}`;
    for (const candidate of [name, `${name}_legacy`]) {
      const value = cookie(cookies, candidate);
      if (value) claims.push({ via: 'cookie', value });
    }
  }
  const session = header(request, 'x-appwrite-session');
  if (session) claims.push({ via: 'header', value: session });
  const fallback = fallbackCookie(header(request, 'x-fallback-cookies'), project);
  if (fallback) claims.push({ via: 'fallback', value: fallback });
  return claims;
}
