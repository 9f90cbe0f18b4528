/** Limits how much work runs and how much work waits, in total and per key. */
import { CountByKey } from './count-by-key.ts';

export interface SemaphoreLimits {
  readonly atOnce: number;
  /** Maximum number of concurrent runs per key, such as a network or a user (default: `atOnce`). */
  readonly ofKey?: number;
  /** Maximum number of waiting runs (default: unlimited). */
  readonly waiting?: number;
  /** Maximum number of waiting runs per key (default: `waiting`). */
  readonly waitingOfKey?: number;
}

interface Waiting {
  readonly key: string;
  readonly begin: () => void;
}

export class Semaphore {
  readonly #limits: Required<SemaphoreLimits>;
  readonly #tooMany: () => Error;
  readonly #running = new CountByKey();
  readonly #waiting = new CountByKey();
  readonly #line: Waiting[] = [];
  #count = 0;

  constructor(limits: SemaphoreLimits, tooMany = () => new Error('Too many wait already.')) {
    const { atOnce, ofKey = atOnce, waiting = Number.POSITIVE_INFINITY, waitingOfKey = waiting } = limits;
    this.#limits = { atOnce, ofKey, waiting, waitingOfKey };
    this.#tooMany = tooMany;
  }

  async run<T>(work: () => Promise<T>, key = ''): Promise<T> {
    if (this.#hasRoom(key)) this.#enter(key);
    else await this.#wait(key);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #hasRoom(key: string): boolean {
    return this.#count < this.#limits.atOnce && this.#running.get(key) < this.#limits.ofKey;
  }

  #enter(key: string): void {
    this.#count++;
    this.#running.add(key, 1);
  }

  #wait(key: string): Promise<void> {
    const { waiting, waitingOfKey } = this.#limits;
    if (this.#line.length >= waiting || this.#waiting.get(key) >= waitingOfKey) throw this.#tooMany();
    this.#waiting.add(key, 1);
    return new Promise((begin) => this.#line.push({ key, begin }));
  }

  #leave(key: string): void {
    this.#count--;
    this.#running.add(key, -1);
    const at = this.#line.findIndex((each) => this.#hasRoom(each.key));
    const [next] = at < 0 ? [] : this.#line.splice(at, 1);
    if (!next) return;
    this.#waiting.add(next.key, -1);
    this.#enter(next.key);
    next.begin();
  }
}
