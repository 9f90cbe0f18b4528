/**
 * How many posts there are where a list's `total` does not say it any more. A count takes some ten requests, and a write
 * that is waited for must not cost more the longer the archive is: after a change the last count is given, marked as not
 * exact, and counted again in the background.
 */

import { TOTAL_LIMIT } from '../count-beyond-limit.ts';

export interface Counted {
  readonly total: number;
  /** False after a change since the last count. */
  readonly exact: boolean;
}

export class PostCounter {
  readonly #ask: () => Promise<number>;
  readonly #now: () => number;
  #last: { readonly total: number; readonly until: number } | undefined;
  #running: Promise<number> | undefined;
  /** Time of the first change since the last count. */
  #doubtedAt: number | undefined;

  /** `ask` counts; `now` in milliseconds. */
  constructor(ask: () => Promise<number>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  /** True when the last count was above the largest `total`. */
  get isBeyondTotals(): boolean {
    return this.#last !== undefined;
  }

  /** Returns the last count. Rejects when there is none and counting fails. */
  async count(): Promise<Counted> {
    const last = this.#last;
    if (!last) return { total: await this.#recount(), exact: true };
    if (this.#doubtedAt === undefined && this.#now() < last.until) return { total: last.total, exact: true };
    // Changes in a row are counted together.
    const doubted = this.#now() - (this.#doubtedAt ?? 0);
    if (doubted >= DOUBTED_MS) this.#recount().catch(() => undefined);
    return { total: last.total, exact: false };
  }

  /** Something changed. */
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
      // Below that, lists give their own totals.
      this.#last = total > TOTAL_LIMIT ? { total, until: this.#now() + KEPT_MS } : undefined;
      return total;
    } catch (error) {
      this.#doubtedAt = doubtedAt ?? this.#now();
      throw error;
    }
  }
}

/** Changes without an event show within this time. */
const KEPT_MS = 10_000;
const DOUBTED_MS = 5_000;
