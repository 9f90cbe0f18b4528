/** Lets only the operator through: `Authorization: Bearer <REBUILD_TOKEN>`. */
import { Attempts } from './attempt-limit.ts';
import { EndpointError, isSameSecret } from './json-endpoint.ts';

/**
 * Wrong tokens from one address in ten minutes. The right one is always heard: behind a proxy that is not trusted, a
 * stranger has the operator's address. What keeps a token from being guessed is its length (configuration.ts).
 */
const wrongTokens = new Attempts(10, 600);

/** @throws EndpointError 403 where no token is configured, 401 for a wrong one, 429 for one after too many. */
export function requireOperator(request: Request, caller: string, token: string | undefined): void {
  if (!token) throw new EndpointError(403, 'This is switched off. Set REBUILD_TOKEN to use it.');
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (given !== undefined && isSameSecret(given, token)) return;
  wrongTokens.spend(caller);
  throw new EndpointError(401, 'Send the operator’s token: Authorization: Bearer <REBUILD_TOKEN>.', {
    'www-authenticate': 'Bearer',
  });
}
