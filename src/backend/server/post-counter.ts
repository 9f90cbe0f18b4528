/**
 * Counts more posts than a list's `total` can report. A count takes about ten requests, which must not delay a write:
 * after a change, the last count is returned as inexact while the posts are counted again.
 */

import { TOTAL_LIMIT } from '../count-beyond-limit.ts';

export interface Counted {
  readonly total: number;
  readonly exact: boolean;
}

export class PostCounter {
  readonly #ask: () => Promise<number>;
  readonly #now: () => number;
  #last: { readonly total: number; readonly until: number } | undefined;
  #running: Promise<number> | undefined;
  #doubtedAt: number | undefined;

  /** @param now returns the time in milliseconds */
  constructor(ask: () => Promise<number>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  /** True if the last count was above the largest `total` that a list can report. */
  get isBeyondTotals(): boolean {
    return this.#last !== undefined;
  }

  /** Returns the last count, if any; otherwise counts the posts, and rejects if that fails. */
  async count(): Promise<Counted> {
    const last = this.#last;
    if (!last) return { total: await this.#recount(), exact: true };
    if (this.#doubtedAt === undefined && this.#now() < last.until) return { total: last.total, exact: true };
    // Waits after a change, to count only once for several changes in a row.
    const doubted = this.#now() - (this.#doubtedAt ?? 0);
    if (doubted >= DOUBTED_MS) this.#recount().catch(() => undefined);
    return { total: last.total, exact: false };
  }

  doubt(): void {
    this.#doubtedAt ??= this.#now();
  }

  #recount(): Promise<number> {
    this.#running ??= this.#counted().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #counted(): Promise<number> {
    const doubtedAt = this.#doubtedAt;
    this.#doubtedAt = undefined;
    try {
      const total = await this.#ask();
      // Caches the count only if it is above the limit, because up to the limit, a list's own `total` is exact.
      this.#last = total > TOTAL_LIMIT ? { total, until: this.#now() + KEPT_MS } : undefined;
      return total;
    } catch (error) {
      this.#doubtedAt = doubtedAt ?? this.#now();
      throw error;
    }
  }
}

/** Lifetime of a count. It expires, because some changes cause no event. */
const KEPT_MS = 10_000;
const DOUBTED_MS = 5_000;
