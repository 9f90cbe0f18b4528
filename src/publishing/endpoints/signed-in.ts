/** Who calls, for endpoints that serve signed-in writers. */
import type { PublishingLocals } from '../locals.ts';
import { Attempts } from './attempts.ts';
import { EndpointError } from './json.ts';

/** Calls without a valid session, per address and minute: each asks the backend. */
const strangers = new Attempts(30, 60);

/**
 * The id of the user whose session `request` carries. `refusal` tells everybody else what signing in is for.
 * @throws EndpointError 401 for a guest, 429 for one who keeps trying, 503 when the backend does not answer.
 */
export async function signedIn(
  request: Request,
  caller: string,
  { verifySession }: PublishingLocals,
  refusal: string,
): Promise<string> {
  strangers.check(caller);
  let user: Awaited<ReturnType<typeof verifySession>>;
  try {
    user = await verifySession(request.headers);
  } catch {
    throw new EndpointError(503, 'The backend did not say who you are. Try again shortly.', { 'retry-after': '5' });
  }
  if (user) return user.id;
  strangers.count(caller);
  throw new EndpointError(401, refusal);
}
