import { hash, timingSafeEqual } from 'node:crypto';
import { isOwnOrigin } from '@common-ink/http/host.ts';
import { ApiError } from './json.ts';
import type { PublishingLocals } from './locals.ts';

/**
 * Refuses requests from other sites' pages. Browsers mark such requests with `Origin` or `Sec-Fetch-Site`.
 * @throws ApiError 403
 */
export function requireSameOrigin(request: Request, siteUrl: string): void {
  const refused = new ApiError(403, 'Only this site’s own pages may call this.');
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refused;
  const origin = request.headers.get('origin');
  // Sandboxed pages and our own pages under `no-referrer` both send `Origin: null`, but only ours are `same-origin`.
  if (origin === null || (origin === 'null' && site === 'same-origin')) return;
  if (!isOwnOrigin(origin, siteUrl, request.headers.get('host'))) throw refused;
}

/** Returns the user's id. @throws ApiError 401 (`refusal`) for a guest, 429 over the limit, 503 if the backend fails */
export async function signedIn(
  request: Request,
  address: string,
  { verifySession, limits: { strangers, strangersSessions } }: PublishingLocals,
  refusal: string,
): Promise<string> {
  let user: Awaited<ReturnType<typeof verifySession>>;
  const refused = strangers.wait(address);
  // Counts the call before checking its session, so that parallel calls over the limit queue in `strangersSessions`.
  const takeBack = strangers.count(address);
  try {
    const verify = () => verifySession(request.headers);
    user = await (refused > 0 ? strangersSessions.run(verify) : verify());
  } catch {
    takeBack();
    throw new ApiError(503, 'The backend could not check your session. Try again shortly.', { 'retry-after': '5' });
  }
  if (user) {
    takeBack();
    return user.id;
  }
  if (refused > 0) strangers.check(address);
  throw new ApiError(401, refusal);
}

/** Requires `Authorization: Bearer <REBUILD_TOKEN>`. @throws ApiError 401 if it is wrong, 429 after too many tries */
export function requireOperator(
  request: Request,
  address: string,
  { rebuildToken = '', limits }: Pick<PublishingLocals, 'rebuildToken' | 'limits'>,
): void {
  if (isBearerOf(rebuildToken, request.headers.get('authorization'))) return;
  limits.wrongTokens.spend(address);
  throw new ApiError(401, 'Send the operator’s token: Authorization: Bearer <REBUILD_TOKEN>.', {
    'www-authenticate': 'Bearer',
  });
}

export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}

export function isBearerOf(token: string, authorization: string | null | undefined): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && isSameSecret(given, token);
}
