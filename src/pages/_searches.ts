/** How often one address may search. */
import { Attempts } from '#publishing/endpoints/attempt-limit.ts';
import { EndpointError } from '#publishing/endpoints/json-endpoint.ts';

const SEARCHES = 30;
const SECONDS = 60;

const searches = new Attempts(SEARCHES, SECONDS);

/** Counts one more search; gives the seconds to wait when there was none left, else 0. */
export function secondsToWait(address: string): number {
  try {
    searches.spend(address);
    return 0;
  } catch (error) {
    if (error instanceof EndpointError) return Number(error.headers['retry-after'] ?? SECONDS);
    throw error;
  }
}
