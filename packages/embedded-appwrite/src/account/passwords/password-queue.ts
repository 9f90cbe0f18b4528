/**
 * Queues password hashing, which takes a quarter of a second and 64 MiB each. Flows share the queue fairly (RFC
 * 970): the flow with the fewest failed attempts goes first, so a flood waits behind everyone else.
 */
import { availableParallelism } from 'node:os';
import { networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { RouteContext } from '../../http/route.ts';

/** The requests that share one place in the queue. */
export interface Flow {
  readonly id: string;
  /** A flow with credit counts as having asked this many times fewer. */
  readonly credit: number;
  /** Whether the client has gone. */
  readonly isGone?: () => boolean;
}

/** At most half of the cores, so that readers keep one, and at most two, for their memory. */
const AT_A_TIME = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** The last of them waits about twelve seconds, or twenty-five on two cores. */
const MOST = 100;
/** Enough for a class that signs in together behind one address. */
const MOST_OF_FLOW = 32;
/** Attempts count for one to two generations. */
const GENERATION = 300_000;
/** Bounds the memory of a generation. */
const FLOWS_COUNTED = 10_000;
const KNOWN_CREDIT = 10;

type Asking = Pick<RouteContext<unknown>, 'caller' | 'client' | 'request'>;

/**
 * Returns the flow of a request: of the server's keys, of a signed-in user, or of a guest's network.
 * @param knownAs names a guest whose account was used from there before
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

/** Counts each flow's failed and pending attempts. */
class Counts {
  readonly #clock: () => number;
  #now = new Map<string, number>();
  #before = new Map<string, number>();
  #since: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#since = clock();
  }

  add(id: string): void {
    const age = this.#clock() - this.#since;
    if (age >= GENERATION || this.#now.size >= FLOWS_COUNTED) {
      this.#before = age >= 2 * GENERATION ? new Map() : this.#now;
      this.#now = new Map();
      this.#since = this.#clock();
    }
    this.#now.set(id, (this.#now.get(id) ?? 0) + 1);
  }

  takeBack(id: string): void {
    for (const counts of [this.#now, this.#before]) {
      const count = counts.get(id);
      if (count === undefined) continue;
      if (count > 1) counts.set(id, count - 1);
      else counts.delete(id);
      return;
    }
  }

  of(id: string): number {
    return (this.#now.get(id) ?? 0) + (this.#before.get(id) ?? 0);
  }
}

export class PasswordQueue {
  readonly #counts: Counts;
  readonly #atATime: number;
  /** In order of arrival. */
  readonly #waiting: Waiter[] = [];
  #running = 0;

  /** @param clock milliseconds. */
  constructor(clock: () => number = Date.now, atATime = AT_A_TIME) {
    this.#counts = new Counts(clock);
    this.#atATime = atATime;
  }

  /** Runs `work` when its flow's turn comes. Throws 429 when the queue is full, and 408 when the client has gone. */
  async run<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    this.#counts.add(flow.id);
    if (this.#running < this.#atATime) this.#running++;
    else await this.#turn(flow);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Takes back the last attempt of `flow`, which succeeded. Flows with credit keep theirs counted. */
  succeeded(flow: Flow): void {
    if (flow.credit === 0) this.#counts.takeBack(flow.id);
  }

  #next(): void {
    for (const waiter of this.#waiting.filter(({ flow }) => flow.isGone?.())) {
      this.#leave(waiter).refuse(new AppwriteError('general_request_timeout'));
    }
    const next = this.#waiting[this.#first()];
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
      const last = this.#waiting[this.#last()];
      if (last && this.#waiting.length > MOST) {
        this.#leave(last).refuse(new AppwriteError('general_rate_limit_exceeded'));
      }
    });
  }

  #asked({ flow }: Waiter): number {
    return this.#counts.of(flow.id) - flow.credit;
  }

  /**
   * Returns the next waiter. Among equals the newest goes first, because everyone in a new flood has asked once.
   * Server keys, which no stranger can flood, go in order of arrival.
   */
  #first(): number {
    const asked = this.#waiting.map((waiter) => this.#asked(waiter));
    const least = Math.min(...asked);
    return Number.isFinite(least) ? asked.lastIndexOf(least) : asked.indexOf(least);
  }

  #last(): number {
    const asked = this.#waiting.map((waiter) => this.#asked(waiter));
    const most = Math.max(...asked);
    return Number.isFinite(most) ? asked.indexOf(most) : asked.lastIndexOf(most);
  }

  #leave(waiter: Waiter): Waiter {
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
    return waiter;
  }
}
