/** Counters that each hold until their window of time ends, for rate limits. In memory: a restart forgives. */
import { LRUCache } from 'lru-cache';

export interface WindowCounter {
  readonly used: number;
  /** When the window ends, in the unit and of the clock that the caller counts with. */
  readonly until: number;
}

export class WindowCounters {
  readonly #counters: LRUCache<string, WindowCounter>;

  /** @param most counters in memory: those unused for the longest are forgotten first */
  constructor(most: number) {
    // By size: with `max`, room for all of them would be taken at once.
    this.#counters = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /** The counter of `name` while its window lasts. */
  get(name: string, now: number): WindowCounter | undefined {
    const counter = this.#counters.get(name);
    return counter && counter.until > now ? counter : undefined;
  }

  /** Counts `cost` more; a window that begins with it ends at `until`. */
  add(name: string, now: number, until: number, cost = 1): void {
    const counter = this.get(name, now) ?? { used: 0, until };
    this.#counters.set(name, { ...counter, used: counter.used + cost });
  }

  forget(name: string): void {
    this.#counters.delete(name);
  }
}
