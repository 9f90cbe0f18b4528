/** Sends long responses piece by piece as the client reads, so that they neither fill memory nor block the thread. */
import type { ServerResponse } from 'node:http';
import { Semaphore, type SemaphoreLimits } from '@common-ink/http/limits/semaphore.ts';
import { startSlowBodyTimeout } from '@common-ink/http/limits/slow-body-timeout.ts';
import { AppwriteError } from './errors.ts';
import { LoopTurns } from './loop-turns.ts';

const LIMITS: SemaphoreLimits = { atOnce: 64, ofKey: 4, waitingOfKey: 64, waiting: 512 };
/** Time slice in milliseconds, after which other requests get the thread. */
const SLICE = 5;

export interface LongAnswer {
  readonly response: ServerResponse;
  /** The client's network, to which the limit per network applies; undefined for a caller with a server key. */
  readonly network: string | undefined;
  /**
   * Called when it is this response's turn. Empty pieces before the first byte let other requests run. An error before
   * the first byte becomes an error response.
   */
  readonly pieces: () => Iterable<Buffer>;
  readonly writeHead: () => void;
}

export class LongAnswers {
  readonly #semaphore: Semaphore;
  readonly #turns = new LoopTurns();

  constructor(limits: Partial<SemaphoreLimits> = {}) {
    this.#semaphore = new Semaphore({ ...LIMITS, ...limits }, () => new AppwriteError('general_server_busy'));
  }

  /**
   * Resolves once the response is sent or the client is gone. Rejects with 503 if too many responses wait, or with an
   * error from `pieces`.
   */
  async send(answer: LongAnswer): Promise<void> {
    if (answer.network === undefined) await this.#send(answer);
    else await this.#semaphore.run(() => this.#send(answer), answer.network);
  }

  async #send({ response, pieces, writeHead }: LongAnswer): Promise<void> {
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    await this.#turns.take();
    if (response.destroyed) return;
    const iterator = pieces()[Symbol.iterator]();
    let piece = iterator.next();
    while (!piece.done && piece.value.length === 0) {
      await this.#turns.take();
      if (response.destroyed) return;
      piece = iterator.next();
    }
    writeHead();
    const timeout = startSlowBodyTimeout(() => response.destroy());
    try {
      let until = performance.now() + SLICE;
      for (; !piece.done; piece = iterator.next()) {
        const isRead = response.write(piece.value);
        if (!isRead) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone]);
        timeout.add(piece.value.length);
        if (isRead && performance.now() < until) continue;
        await this.#turns.take();
        if (response.destroyed) return;
        until = performance.now() + SLICE;
      }
      response.end();
      await gone;
    } finally {
      timeout.end();
      iterator.return?.();
    }
  }
}
