/**
 * Queues password hashing, which takes 250 ms and 64 MiB per hash. Flows share the queue fairly (RFC 970): the flow
 * with the fewest failed attempts goes first, so a flood waits behind everyone else.
 */
import { availableParallelism } from 'node:os';
import { networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { RouteContext } from '../../http/route.ts';

/** A group of requests that count together, such as those from one network. */
export interface Flow {
  readonly id: string;
  readonly credit: number;
  /** Returns true once the client has disconnected. */
  readonly isGone?: () => boolean;
}

/** At most half of the cores, to keep one for readers, and at most two, for memory. */
const AT_A_TIME = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** The last request in a full queue waits about 12 seconds, or 25 on two cores. */
const MOST = 100;
/** Allows a class that signs in together from one network. */
const MOST_OF_FLOW = 32;
/** Milliseconds; attempts count for one to two generations. */
const GENERATION = 300_000;
const FLOWS_COUNTED = 10_000;
const KNOWN_CREDIT = 10;

type Asking = Pick<RouteContext<unknown>, 'caller' | 'client' | 'request'>;

/**
 * Returns the flow of a request: the server's keys, a signed-in user, or a guest's network.
 * @param knownAs counter key of a guest whose account was used from this network before
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
  readonly #waiting: Waiter[] = [];
  #running = 0;

  /** @param clock returns milliseconds */
  constructor(clock: () => number = Date.now, atATime = AT_A_TIME) {
    this.#counts = new Counts(clock);
    this.#atATime = atATime;
  }

  /**
   * Runs `work` when its flow's turn comes. Throws 429 when the queue is full, and 408 when the client has
   * disconnected.
   */
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

  /** Takes back the last attempt of `flow`, which succeeded. Flows with credit keep it counted. */
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
   * Returns the index of the next waiter. Ties go to the newest, because every flow in a new flood has asked once.
   * Server keys, which strangers cannot flood, go in order of arrival.
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
