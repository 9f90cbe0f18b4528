import { siteOf } from '@common-ink/http/client-address.ts';
import { WindowCounters } from '@common-ink/http/limits/window-counters.ts';
import { ApiError } from './json.ts';

const CALLERS_KEPT = 10_000;
/** The limit for an IPv6 site (/48, RFC 6177), as a multiple of the limit for one /64 network. */
const NETWORKS_OF_SITE = 10;

export class Attempts {
  readonly limit: number;
  readonly seconds: number;
  readonly #now: () => number;
  readonly #counters: WindowCounters;

  /** Allows each caller `limit` attempts in `seconds`. Callers are networks from `networkOf`, user ids or mailboxes. */
  constructor(limit: number, seconds: number, now: () => number = Date.now) {
    this.limit = limit;
    this.seconds = seconds;
    const begun = now();
    this.#now = () => now() - begun;
    this.#counters = new WindowCounters(CALLERS_KEPT, seconds * 1000);
  }

  /** Returns the seconds until the caller may try again; 0 if an attempt is allowed now. Does not count an attempt. */
  wait(caller: string): number {
    const now = this.#now();
    const waits = this.#namesOf(caller).map(({ name, limit }) => {
      const { used, until } = this.#counters.get(name, now);
      return used >= limit ? Math.ceil((until - now) / 1000) : 0;
    });
    return Math.max(...waits);
  }

  /** Checks the limit without counting an attempt. @throws ApiError 429 if the caller has none left */
  check(caller: string): void {
    const seconds = this.wait(caller);
    if (seconds === 0) return;
    throw new ApiError(429, `Too many attempts. Try again in ${seconds} s.`, { 'retry-after': String(seconds) });
  }

  /** Counts an attempt, and returns a function that undoes it. */
  count(caller: string): () => void {
    const now = this.#now();
    const names = this.#namesOf(caller).map(({ name }) => name);
    for (const name of names) this.#counters.add(name, now);
    const { until } = this.#counters.get(caller, now);
    return () => {
      for (const name of names) this.#counters.takeBack(name, until);
    };
  }

  /** Counts an attempt. @throws ApiError 429 if the caller has none left */
  spend(caller: string): void {
    this.check(caller);
    this.count(caller);
  }

  #namesOf(caller: string): { readonly name: string; readonly limit: number }[] {
    const own = { name: caller, limit: this.limit };
    const site = siteOf(caller);
    return site === caller ? [own] : [own, { name: site, limit: this.limit * NETWORKS_OF_SITE }];
  }
}
