/** The signed-in caller of an endpoint for writers. */

import type { PublishingLocals } from '../../endpoint-locals.ts';
import { EndpointError } from '../json-endpoint.ts';

/**
 * The id of the user whose session `request` carries. `refusal` tells everybody else what signing in is for.
 * @throws EndpointError 401 for a guest, 429 for one of many, 503 when the backend does not answer.
 */
export async function signedIn(
  request: Request,
  caller: string,
  { verifySession, limits: { strangers, strangersSessions } }: PublishingLocals,
  refusal: string,
): Promise<string> {
  let user: Awaited<ReturnType<typeof verifySession>>;
  const refused = strangers.wait(caller);
  // Counts before it asks, so that of many callers at once only some reach the backend.
  const takeBack = strangers.count(caller);
  try {
    const verify = () => verifySession(request.headers);
    user = await (refused > 0 ? strangersSessions.run(verify) : verify());
  } catch {
    takeBack();
    throw new EndpointError(503, 'The backend did not say who you are. Try again shortly.', { 'retry-after': '5' });
  }
  if (user) {
    takeBack();
    return user.id;
  }
  if (refused > 0) strangers.check(caller);
  throw new EndpointError(401, refusal);
}
