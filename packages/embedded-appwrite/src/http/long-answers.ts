/**
 * Long answers: made piece by piece as the client reads, so that none stands in memory whole and none holds the thread.
 * A few at a time; a client that does not read gives up its place.
 */
import type { ServerResponse } from 'node:http';
import { Semaphore, type SemaphoreLimits } from '@common-ink/http/limits/semaphore.ts';
import { startSlowBodyTimeout } from '@common-ink/http/limits/slow-body-timeout.ts';
import { AppwriteError } from './errors.ts';
import { LoopTurns } from './loop-turns.ts';

const LIMITS: SemaphoreLimits = { atOnce: 64, ofKey: 4, waitingOfKey: 64, waiting: 512 };
/** How long making pieces may hold the thread, milliseconds. */
const SLICE = 5;

export interface LongAnswer {
  readonly response: ServerResponse;
  /** The network whose place it takes; undefined for a server key, which takes none. */
  readonly network: string | undefined;
  /**
   * Begun when its turn comes. Empty pieces say that there is work to do before the first byte, which others may come in
   * between of; what it throws until then can still be answered.
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

  /** Ends when the answer has left, or its client. Throws 503 among too many, and what `pieces` throws. */
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
