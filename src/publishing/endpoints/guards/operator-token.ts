/** Lets only the operator through: `Authorization: Bearer <REBUILD_TOKEN>`. */
import type { PublishingLocals } from '../../endpoint-locals.ts';
import { EndpointError, isSameSecret } from '../json-endpoint.ts';

/**
 * Gives what only the operator may ask.
 * @throws EndpointError 403 where no token is configured, 401 for a wrong one, 429 for one after too many.
 */
export function requireOperator(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): PublishingLocals {
  const token = publishing?.rebuildToken;
  if (!publishing || !token) throw new EndpointError(403, 'This is switched off. Set REBUILD_TOKEN to use it.');
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (given !== undefined && isSameSecret(given, token)) return publishing;
  publishing.limits.wrongTokens.spend(caller);
  throw new EndpointError(401, 'Send the operator’s token: Authorization: Bearer <REBUILD_TOKEN>.', {
    'www-authenticate': 'Bearer',
  });
}
