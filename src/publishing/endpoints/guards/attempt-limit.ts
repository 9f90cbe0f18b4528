/** Counts attempts by caller within a window of time, so that nobody can try forever. */
import { WindowCounters } from '#http/limits/window-counters.ts';
import { EndpointError } from '../json-endpoint.ts';

const CALLERS_KEPT = 10_000;

export class Attempts {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  /** In milliseconds since 1970. */
  readonly #counters = new WindowCounters(CALLERS_KEPT);

  /** At most `limit` in `seconds`. */
  constructor(limit: number, seconds: number, now: () => number = Date.now) {
    this.#limit = limit;
    this.#windowMs = seconds * 1000;
    this.#now = now;
  }

  /** Seconds until the caller has one again; 0 when they have. Does not count. */
  wait(caller: string): number {
    const now = this.#now();
    const counter = this.#counters.get(caller, now);
    return counter && counter.used >= this.#limit ? Math.ceil((counter.until - now) / 1000) : 0;
  }

  /** @throws EndpointError 429 when the caller has none left; does not count. */
  check(caller: string): void {
    const seconds = this.wait(caller);
    if (seconds === 0) return;
    throw new EndpointError(429, `Too many attempts. Try again in ${seconds} s.`, { 'retry-after': String(seconds) });
  }

  count(caller: string): void {
    const now = this.#now();
    this.#counters.add(caller, now, now + this.#windowMs);
  }

  /** Counts one more. @throws EndpointError 429 when there is none left. */
  spend(caller: string): void {
    this.check(caller);
    this.count(caller);
  }
}
