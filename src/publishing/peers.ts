/**
 * Sends changes to the site's other instances, which do not pass them on. If a message is lost, PAGES_MAX_AGE limits
 * how long pages stay outdated.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@common-ink/http/log.ts';
import type { Revalidation } from './revalidate.ts';

export const PEERS_PATH = '/api/peers';
export const SIGNATURE_HEADER = 'x-peer-signature';
/** Unix time in seconds. It is part of the signed text. */
export const TIME_HEADER = 'x-peer-time';

export interface PeersOptions {
  readonly peers: readonly string[];
  readonly secret: string;
  readonly log: Log;
  /** Milliseconds before each retry. The message is dropped after the last retry. */
  readonly delays?: readonly number[];
}

export type Peers = ReturnType<typeof createPeers>;

/** Retries last about seven minutes, which is longer than a restart takes. */
const DELAYS = [500, 2000, 10_000, 30_000, 60_000, 300_000];
/** Long enough for a peer to render the changed posts before it responds. */
const TIMEOUT_MS = 30_000;

export function createPeers(options: PeersOptions) {
  const closing = new AbortController();
  const lines = options.peers.map((peer) => lineTo(peer, options, closing.signal));
  return {
    /** Sends this change, and earlier undelivered ones, to all peers. Resolves after the first attempt at each peer. */
    async broadcast(revalidation: Revalidation): Promise<void> {
      // A change from a peer has already reached every other peer, and each instance polls for itself.
      const { from } = revalidation;
      if (from !== 'peer' && from !== 'poll') await Promise.all(lines.map((line) => line.enqueue(revalidation)));
    },
    async idle(): Promise<void> {
      await Promise.all(lines.map((line) => line.idle()));
    },
    close: () => closing.abort(),
  };
}

/** Sends messages to one peer, one at a time. Each peer has its own queue, so a slow peer does not delay the others. */
function lineTo(peer: string, { secret, log, delays = DELAYS }: PeersOptions, closing: AbortSignal) {
  const waiting = new WaitingMessage();
  let next = Promise.withResolvers<void>();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!waiting.isEmpty && !closing.aborted) await deliver();
    working = undefined;
  }

  async function deliver(): Promise<void> {
    for (const delay of [...delays, undefined]) {
      // Includes changes that were added during the last attempt.
      const message = waiting.take();
      const attempt = next;
      next = Promise.withResolvers();
      const fault = await send(peer, secret, JSON.stringify(message));
      attempt.resolve();
      if (!fault || closing.aborted) return;
      if (delay === undefined) {
        log('error', `${peer} could not be told about a change and may show old pages: ${fault}.`);
        return;
      }
      log('warn', `${peer} could not be told about a change yet: ${fault}. Trying again.`);
      waiting.putBack(message);
      await sleep(delay, undefined, { signal: closing, ref: false }).catch(() => undefined);
      if (closing.aborted) return;
    }
  }

  return {
    enqueue(revalidation: Revalidation): Promise<void> {
      waiting.add(revalidation);
      working ??= Promise.resolve().then(work);
      return next.promise;
    },
    async idle(): Promise<void> {
      while (working) await working;
    },
  };
}

export function peerSignature(secret: string, time: string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
}

/** Returns undefined on success, otherwise the reason for the failure. */
async function send(peer: string, secret: string, body: string): Promise<string | undefined> {
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await response.text()).slice(0, 200);
    return response.ok ? undefined : `${response.status} ${text}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export type PeerMessage = Pick<Revalidation, 'slugs' | 'gone' | 'tags' | 'paths' | 'all'>;

/** Maximum number of slugs, tags or paths per message. Limited, because a peer renders the posts before it responds. */
const BATCH = 500;

class WaitingMessage {
  readonly #slugs = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #tags = new Set<string>();
  readonly #paths = new Set<string>();
  #all = false;

  get isEmpty(): boolean {
    return !this.#all && this.#slugs.size + this.#tags.size + this.#paths.size === 0;
  }

  /** Adds a change. A later change to a post replaces an earlier one. */
  add({ slugs = [], gone = [], tags = [], paths = [], all }: PeerMessage): void {
    const taken = new Set(gone);
    for (const slug of slugs) {
      // Moves the slug to the end, because `take` begins with the latest changes.
      this.#slugs.delete(slug);
      this.#slugs.add(slug);
      if (taken.has(slug)) this.#gone.add(slug);
      else this.#gone.delete(slug);
    }
    for (const tag of tags) this.#tags.add(tag);
    for (const path of paths) this.#paths.add(path);
    this.#all ||= all === true;
  }

  /** Adds an undelivered message again, except for posts that have changed in the meantime. */
  putBack({ slugs = [], gone = [], ...rest }: PeerMessage): void {
    const older = slugs.filter((slug) => !this.#slugs.has(slug));
    this.add({ ...rest, slugs: older, gone });
  }

  take(): PeerMessage {
    const slugs = last(this.#slugs);
    const gone = slugs.filter((slug) => this.#gone.delete(slug));
    const all = this.#all;
    this.#all = false;
    return { slugs, gone, tags: last(this.#tags), paths: last(this.#paths), ...(all && { all }) };
  }
}

function last(names: Set<string>): string[] {
  const taken = [...names].slice(-BATCH);
  for (const name of taken) names.delete(name);
  return taken;
}
