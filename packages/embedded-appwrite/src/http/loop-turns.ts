/** Runs long work in pieces, one per turn of the event loop, so that short requests run in between. */
import { AppwriteError } from './errors.ts';

const WAITING = 1000;

export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  readonly #next = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };

  /** Resolves in its own turn of the event loop. Rejects with 503 `general_server_busy` if too many callers wait. */
  take(): Promise<void> {
    if (this.#waiting.length >= WAITING) return Promise.reject(new AppwriteError('general_server_busy'));
    if (this.#waiting.length === 0) setImmediate(this.#next);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
