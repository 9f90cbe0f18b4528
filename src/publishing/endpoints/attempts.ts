/** Counts attempts by caller within a window of time, so that nobody can try forever. */
import { EndpointError } from './json.ts';

const CALLERS_KEPT = 10_000;

export class Attempts {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, { count: number; until: number }>();

  /** At most `limit` in `seconds`. */
  constructor(limit: number, seconds: number, now: () => number = Date.now) {
    this.#limit = limit;
    this.#windowMs = seconds * 1000;
    this.#now = now;
  }

  /** Seconds until the caller has one again; 0 when he has. Does not count. */
  wait(caller: string): number {
    const known = this.#counts.get(caller);
    const now = this.#now();
    if (!known || known.until <= now || known.count < this.#limit) return 0;
    return Math.ceil((known.until - now) / 1000);
  }

  /** @throws EndpointError 429 when the caller has none left; does not count. */
  check(caller: string): void {
    const seconds = this.wait(caller);
    if (seconds === 0) return;
    throw new EndpointError(429, `Too many attempts. Try again in ${seconds} s.`, { 'retry-after': String(seconds) });
  }

  count(caller: string): void {
    const now = this.#now();
    const known = this.#counts.get(caller);
    if (known && known.until > now) {
      known.count++;
      return;
    }
    // Where thousands call, the oldest windows are forgotten first.
    if (this.#counts.size >= CALLERS_KEPT) this.#counts.delete(this.#counts.keys().next().value as string);
    this.#counts.delete(caller);
    this.#counts.set(caller, { count: 1, until: now + this.#windowMs });
  }

  /** Counts one more. @throws EndpointError 429 when there is none left. */
  spend(caller: string): void {
    this.check(caller);
    this.count(caller);
  }
}
