/** The bodies held in memory, within a budget of bytes; those longest without a reader go first. */
import type { Held, Shown } from './resident.ts';

export class Memory {
  readonly #budget: number;
  readonly #release: (resident: Held) => void;
  /** Oldest first. A hit costs no more than a date on the entry: the queue is put in order when room is needed. */
  readonly #queue = new Set<Held>();
  #bytes = 0;

  /** `release` is told of each body that had to go. */
  constructor(budget: number, release: (resident: Held) => void) {
    this.#budget = budget;
    this.#release = release;
  }

  get bytes(): number {
    return this.#bytes;
  }

  hold(resident: Held): void {
    const { entry, encoding } = resident;
    const former = entry[encoding];
    if (former) this.#forget(former);
    entry[encoding] = resident;
    this.#queue.add(resident);
    this.#bytes += cost(resident);
    this.#makeRoom();
  }

  /** Lets go of all bodies of a page that was replaced or dropped. */
  forget(entry: Shown): void {
    for (const resident of [entry.br, entry.gzip, entry.identity]) if (resident) this.#forget(resident);
  }

  #makeRoom(): void {
    for (const resident of this.#queue) {
      if (this.#bytes <= this.#budget) return;
      if (resident.entry.touchedAt > resident.queuedAt && this.#queue.size > 1) {
        // Read since it was queued: it goes to the end.
        resident.queuedAt = resident.entry.touchedAt;
        this.#queue.delete(resident);
        this.#queue.add(resident);
      } else {
        this.#forget(resident);
        this.#release(resident);
      }
    }
  }

  #forget(resident: Held): void {
    if (!this.#queue.delete(resident)) return;
    this.#bytes -= cost(resident);
    resident.entry[resident.encoding] = undefined;
  }
}

/** A body and about what its headers and its place in the queue take. */
function cost(resident: Held): number {
  return resident.body.length + 1500;
}
