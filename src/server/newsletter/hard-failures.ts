import type { StoredSubscriber } from '#backend/newsletter/subscribers.ts';

type Counted = Pick<StoredSubscriber, 'failures' | 'state'>;

const MOST_FAILURES = 3;

/** Returns a subscriber's failures and state after one more hard failure; the third in a row makes it `resting`. */
export function afterHardFailure({ failures, state }: Counted): Counted {
  const counted = failures + 1;
  return { failures: counted, state: counted >= MOST_FAILURES ? 'resting' : state };
}
