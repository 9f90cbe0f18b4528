/**
 * Queues password hashing, because each hash takes 250 ms and 64 MiB. The flow (a network or a known account) with the
 * fewest failed attempts is served first (fair queueing, RFC 970), so a flood waits behind everyone else.
 */
import { availableParallelism } from 'node:os';
import { networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { LRUCache } from 'lru-cache';
import { AppwriteError } from '../../http/errors.ts';
import type { RouteContext } from '../../http/route.ts';

export interface Flow {
  readonly id: string;
  readonly credit: number;
  readonly isGone?: () => boolean;
}

/** Maximum concurrent hashes: half the cores, to leave CPU for other requests, but at most 2, as each takes 64 MiB. */
const AT_A_TIME = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** Maximum waiting requests. The last of them waits about 12 seconds, or 25 on fewer than four cores. */
const MOST = 100;
/** Maximum waiting requests per flow: enough for a school class that signs in together from one network. */
const MOST_OF_FLOW = 32;
const REMEMBERED_MS = 600_000;
const FLOWS_COUNTED = 10_000;
const KNOWN_CREDIT = 10;

type Asking = Pick<RouteContext<unknown>, 'caller' | 'client' | 'request'>;

/**
 * Returns the flow to which a request belongs.
 * @param knownAs for a guest, the result of `KnownAddresses.nameOf`
 */
export function flowOf({ caller, client, request }: Asking, knownAs?: string): Flow {
  const isGone = () => request.socket.destroyed;
  if (caller.privileged) return { id: 'keys', credit: Number.POSITIVE_INFINITY, isGone };
  const known = caller.user ? `user ${caller.user.id}` : knownAs;
  return known === undefined
    ? { id: siteOf(networkOf(client.address)), credit: 0, isGone }
    : { id: `known ${known}`, credit: KNOWN_CREDIT, isGone };
}

interface Waiter {
  readonly flow: Flow;
  readonly start: () => void;
  readonly refuse: (error: AppwriteError) => void;
}

export class PasswordQueue {
  readonly #attempts: LRUCache<string, number>;
  readonly #atATime: number;
  readonly #waiting: Waiter[] = [];
  #running = 0;

  constructor(clock: { now(): number } = performance, atATime = AT_A_TIME) {
    const options = { ttl: REMEMBERED_MS, ttlResolution: 0, noUpdateTTL: true, perf: clock };
    this.#attempts = new LRUCache({ max: FLOWS_COUNTED, ...options });
    this.#atATime = atATime;
  }

  /** Runs `work` when its turn comes. Throws 429 when too many requests wait, 408 when the client has disconnected. */
  async run<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    this.#count(flow, 1);
    if (this.#running < this.#atATime) this.#running++;
    else await this.#turn(flow);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Removes a successful attempt from its flow's count, unless the flow has credit. */
  succeeded(flow: Flow): void {
    if (flow.credit === 0) this.#count(flow, -1);
  }

  #count({ id }: Flow, change: 1 | -1): void {
    const count = (this.#attempts.get(id) ?? 0) + change;
    if (count > 0) this.#attempts.set(id, count);
    else this.#attempts.delete(id);
  }

  #next(): void {
    for (const waiter of this.#waiting.filter(({ flow }) => flow.isGone?.())) {
      this.#leave(waiter).refuse(new AppwriteError('general_request_timeout'));
    }
    const next = this.#waiting[this.#place('least')];
    if (next) this.#leave(next).start();
    else this.#running--;
  }

  #turn(flow: Flow): Promise<void> {
    const own = this.#waiting.filter(({ flow: { id } }) => id === flow.id);
    if (own.length >= MOST_OF_FLOW && Number.isFinite(flow.credit)) {
      throw new AppwriteError('general_rate_limit_exceeded');
    }
    return new Promise((start, refuse) => {
      this.#waiting.push({ flow, start, refuse });
      const last = this.#waiting[this.#place('most')];
      if (last && this.#waiting.length > MOST) {
        this.#leave(last).refuse(new AppwriteError('general_rate_limit_exceeded'));
      }
    });
  }

  /**
   * Returns the index of the waiter to run next (fewest attempts) or to refuse (most attempts). Among equals, the
   * newest runs first and is refused last, so a newcomer does not wait behind a flood of flows with one attempt
   * each. All requests with server keys share one flow and run in order, because only key holders can flood it.
   */
  #place(wanted: 'least' | 'most'): number {
    const asked = this.#waiting.map(({ flow }) => (this.#attempts.get(flow.id) ?? 0) - flow.credit);
    const extreme = wanted === 'least' ? Math.min(...asked) : Math.max(...asked);
    const isNewest = (wanted === 'least') === Number.isFinite(extreme);
    return isNewest ? asked.lastIndexOf(extreme) : asked.indexOf(extreme);
  }

  #leave(waiter: Waiter): Waiter {
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
    return waiter;
  }
}
