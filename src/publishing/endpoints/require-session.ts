/** The signed-in caller of an endpoint for writers. */

import { Semaphore } from '#http/semaphore.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { Attempts } from './attempt-limit.ts';
import { EndpointError } from './json-endpoint.ts';

/** Calls without a valid session, per address and minute: each asks the backend. */
const strangers = new Attempts(30, 60);
/**
 * From an address that has spent them, so many sessions are asked for at a time: a flood does not reach the backend, and
 * whoever is signed in and has the same address (a proxy's that is not trusted) waits a little and is let in.
 */
const inTurn = new Semaphore({ atOnce: 4 });

/**
 * The id of the user whose session `request` carries. `refusal` tells everybody else what signing in is for.
 * @throws EndpointError 401 for a guest, 429 for one of many, 503 when the backend does not answer.
 */
export async function signedIn(
  request: Request,
  caller: string,
  { verifySession }: PublishingLocals,
  refusal: string,
): Promise<string> {
  let user: Awaited<ReturnType<typeof verifySession>>;
  try {
    const verify = () => verifySession(request.headers);
    user = await (strangers.wait(caller) > 0 ? inTurn.run(verify) : verify());
  } catch {
    throw new EndpointError(503, 'The backend did not say who you are. Try again shortly.', { 'retry-after': '5' });
  }
  if (user) return user.id;
  strangers.spend(caller);
  throw new EndpointError(401, refusal);
}
