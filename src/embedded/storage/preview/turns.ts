/** Lets a few do heavy work at a time and a bounded number wait; the rest is told to come back later. */
import { AppwriteError } from '../../http/errors.ts';

export class Turns {
  readonly #atOnce: number;
  readonly #waitingAtMost: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, waitingAtMost: number) {
    this.#atOnce = atOnce;
    this.#waitingAtMost = waitingAtMost;
  }

  /** Runs `work` when its turn comes. Throws 429 `general_rate_limit_exceeded` when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitingAtMost) throw new AppwriteError('general_rate_limit_exceeded');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
