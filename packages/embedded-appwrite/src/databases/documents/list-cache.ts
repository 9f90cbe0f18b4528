/**
 * Lists as they were answered, ready to be sent again until the collection is written to. Bounded by bytes; the oldest
 * go first. A list is kept when it is asked for a second time: what one caller wants once would displace what many read.
 *
 * Why it cannot be stale: the key holds the compiled query with the caller's roles, and the version of the table, which
 * every write raises before it returns; reads never run between a write and its commit (see `cache.ts`).
 */

/** Keys remembered as asked for once. */
const ASKED_KEPT = 1000;

export class ListCache {
  readonly #limit: number;
  readonly #answers = new Map<string, Buffer>();
  readonly #asked = new Set<string>();
  #size = 0;

  /** @param limit most bytes kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Buffer | undefined {
    return this.#answers.get(key);
  }

  /** Keeps the answer when the key is offered for the second time. */
  offer(key: string, bytes: readonly Buffer[]): void {
    if (!this.#asked.delete(key)) {
      if (this.#asked.size >= ASKED_KEPT) this.#asked.clear();
      this.#asked.add(key);
      return;
    }
    const answer = Buffer.concat(bytes);
    if (answer.length > this.#limit / 8) return;
    this.#answers.set(key, answer);
    this.#size += answer.length;
    for (const [oldest, { length }] of this.#answers) {
      if (this.#size <= this.#limit) break;
      this.#answers.delete(oldest);
      this.#size -= length;
    }
  }
}
