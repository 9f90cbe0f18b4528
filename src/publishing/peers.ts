/**
 * Tells the other instances of a site what changed. Messages are signed, and a peer's message is not passed on, so none
 * circulates. PAGES_MAX_AGE limits the effect of a lost message.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@common-ink/http/log.ts';
import { WaitingMessage } from './peer-message.ts';
import type { Revalidation } from './revalidate.ts';

export const PEERS_PATH = '/api/peers';
export const SIGNATURE_HEADER = 'x-peer-signature';
/** Unix time in seconds, part of the signed text. */
export const TIME_HEADER = 'x-peer-time';

export interface PeersOptions {
  readonly peers: readonly string[];
  readonly secret: string;
  readonly log: Log;
  /** Milliseconds before each further attempt. After the last one the message is dropped. */
  readonly delays?: readonly number[];
  /** Milliseconds per request. The other instance renders the pages meanwhile. */
  readonly timeout?: number;
}

export interface Peers {
  /**
   * Queues the change, merged with others that wait for the same peer. Resolves after the first attempt at each peer.
   */
  broadcast(revalidation: Revalidation): Promise<void>;
  idle(): Promise<void>;
  close(): void;
}

/** About seven minutes: longer than a restart. */
const DELAYS = [500, 2000, 10_000, 30_000, 60_000, 300_000];

export function createPeers({ peers, secret, log, delays = DELAYS, timeout = 30_000 }: PeersOptions): Peers {
  const closing = new AbortController();
  const lines = peers.map((peer) => new Line(peer, secret, log, delays, timeout, closing.signal));
  return {
    async broadcast(revalidation) {
      // Each instance polls for itself.
      const { from } = revalidation;
      if (from !== 'peer' && from !== 'poll') await Promise.all(lines.map((line) => line.enqueue(revalidation)));
    },
    async idle() {
      await Promise.all(lines.map((line) => line.idle()));
    },
    close: () => closing.abort(),
  };
}

/** Sends the messages to one peer in order. A slow peer delays no other. */
class Line {
  readonly #peer: string;
  readonly #send: (body: string) => Promise<string | undefined>;
  readonly #log: Log;
  readonly #delays: readonly number[];
  readonly #closing: AbortSignal;
  readonly #waiting = new WaitingMessage();
  #attempt = Promise.withResolvers<void>();
  #working: Promise<void> | undefined;

  constructor(
    peer: string,
    secret: string,
    log: Log,
    delays: readonly number[],
    timeout: number,
    closing: AbortSignal,
  ) {
    this.#peer = peer;
    this.#send = (body) => send(peer, secret, body, timeout);
    this.#log = log;
    this.#delays = delays;
    this.#closing = closing;
  }

  enqueue(revalidation: Revalidation): Promise<void> {
    this.#waiting.add(revalidation);
    this.#working ??= Promise.resolve().then(() => this.#work());
    return this.#attempt.promise;
  }

  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    while (!this.#waiting.isEmpty && !this.#closing.aborted) await this.#deliver();
    this.#working = undefined;
  }

  async #deliver(): Promise<void> {
    for (const delay of [...this.#delays, undefined]) {
      // Includes changes that were added during the last attempt.
      const message = this.#waiting.take();
      const attempt = this.#attempt;
      this.#attempt = Promise.withResolvers();
      const fault = await this.#send(JSON.stringify(message));
      attempt.resolve();
      if (!fault || this.#closing.aborted) return;
      if (delay === undefined) {
        this.#log('error', `${this.#peer} was not told of a change and may show old pages: ${fault}.`);
        return;
      }
      this.#log('warn', `${this.#peer} was not told of a change yet: ${fault}. Trying again.`);
      this.#waiting.putBack(message);
      await sleep(delay, undefined, { signal: this.#closing, ref: false }).catch(() => undefined);
      if (this.#closing.aborted) return;
    }
  }
}

/** Returns hex(HMAC-SHA256(secret, time + "." + body)). */
export function peerSignature(secret: string, time: string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
}

/** Returns undefined on success, else the reason. */
async function send(peer: string, secret: string, body: string, timeout: number): Promise<string | undefined> {
  const time = String(Math.floor(Date.now() / 1000));
  try {
    const response = await fetch(peer + PEERS_PATH, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [TIME_HEADER]: time,
        [SIGNATURE_HEADER]: peerSignature(secret, time, body),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const text = (await response.text()).slice(0, 200);
    return response.ok ? undefined : `${response.status} ${text}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
