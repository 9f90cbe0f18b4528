/**
 * The queue before the password computations, each of which takes a quarter of a second and 64 MiB. It is shared fairly
 * among flows (RFC 970): whoever asked least in vain goes first, so that a flood waits behind everybody it wants to keep
 * out.
 */
import { availableParallelism } from 'node:os';
import { networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { RouteContext } from '../../http/route.ts';

/** What shares one place in the order. */
export interface Flow {
  readonly id: string;
  /** Computations by which it goes before strangers who asked as often. */
  readonly credit: number;
  /** Whether nobody waits for the answer any more. */
  readonly isGone?: () => boolean;
}

/** Computations at a time: half of the cores at most, so that readers keep one, and no more than two, for their memory. */
const AT_A_TIME = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** Waiting at once: the last of them waits some twelve seconds, or twenty-five on two cores. */
const MOST = 100;
/** Waiting at once of one flow: a class that signs in together behind one address. */
const MOST_OF_FLOW = 32;
/** How long what a flow asked counts at least, milliseconds; at most twice as long. */
const GENERATION = 300_000;
/** Flows counted in a generation, which bounds the memory. */
const FLOWS_COUNTED = 10_000;
/** More than anybody mistypes. */
const KNOWN_CREDIT = 10;

type Asking = Pick<RouteContext<unknown>, 'caller' | 'client' | 'request'>;

/**
 * The flow of a request: of the server's keys, of a signed-in user, of the network of a guest.
 * @param knownAs names a guest who is known from before, as no stranger can be named.
 */
export function flowOf({ caller, client, request }: Asking, knownAs?: string): Flow {
  const isGone = () => request.socket.destroyed;
  // Keys act for the operator, who waits for nobody.
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

/** How often flows asked in vain of late, or are asking. */
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
  /** In the order in which they came. */
  readonly #waiting: Waiter[] = [];
  #running = 0;

  /** @param clock milliseconds. */
  constructor(clock: () => number = Date.now, atATime = AT_A_TIME) {
    this.#counts = new Counts(clock);
    this.#atATime = atATime;
  }

  /**
   * Runs `work` in its turn. Throws 429 when the queue is full of flows that asked less, or of this one, and 408
   * when nobody waits for the answer any more.
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

  /** What `flow` asked last was right, or limited elsewhere: it does not count. Those with credit have theirs for that. */
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
   * Among equals the newest goes first: those who began a flood have each asked once, as has whoever comes after them. The
   * requests of server keys, which no stranger can flood, go in the order in which they came.
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
