/**
 * Counts uses per name and time window, for rate limits. Windows are aligned to the clock. Names beyond a maximum share
 * counters, so that a flood of names cannot evict, and thus reset, a counter.
 */
import { hash, randomBytes } from 'node:crypto';

export interface WindowCounter {
  readonly used: number;
  /** The end of the window, in the caller's time unit. */
  readonly until: number;
}

const SHARED_DIGITS = 4;

export class WindowCounters {
  readonly #most: number;
  readonly #window: number;
  readonly #seed = randomBytes(16).toString('hex');
  #until = 0;
  #own = new Map<string, number>();
  #shared = new Map<string, number>();

  /** Counts up to `most` names separately. `window` is in the caller's time unit. */
  constructor(most: number, window: number) {
    this.#most = most;
    this.#window = window;
  }

  get(name: string, now: number): WindowCounter {
    this.#moveOn(now);
    return { used: this.#own.get(name) ?? this.#sharedOf(name), until: this.#until };
  }

  add(name: string, now: number, cost = 1): void {
    const { used } = this.get(name, now);
    if (this.#own.has(name) || this.#own.size < this.#most) this.#own.set(name, used + cost);
    else this.#shared.set(this.#sharedName(name), used + cost);
  }

  takeBack(name: string, until: number, cost = 1): void {
    if (until !== this.#until) return;
    const own = this.#own.get(name);
    if (own === undefined) this.#shared.set(this.#sharedName(name), this.#sharedOf(name) - cost);
    else if (own > cost) this.#own.set(name, own - cost);
    else this.#own.delete(name);
  }

  /** Resets the counter of `name`, unless it is shared. */
  forget(name: string): void {
    this.#own.delete(name);
  }

  #moveOn(now: number): void {
    const until = now - (now % this.#window) + this.#window;
    if (until === this.#until) return;
    this.#until = until;
    this.#own = new Map();
    this.#shared = new Map();
  }

  #sharedOf(name: string): number {
    return this.#shared.size === 0 ? 0 : (this.#shared.get(this.#sharedName(name)) ?? 0);
  }

  #sharedName(name: string): string {
    return hash('sha1', this.#seed + name).slice(0, SHARED_DIGITS);
  }
}
