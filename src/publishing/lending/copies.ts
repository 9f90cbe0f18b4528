/**
 * The stored pages as a reader thread has them: copies that the store lent. Each answer compares the copy's number with
 * the one in shared memory, so a page that changed is never shown again, whatever messages are still under way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainRead } from '../plain/plain-read.ts';
import { type WireAnswer, Wires } from '../plain/wires.ts';
import { type Encoding, negotiate } from '../store/encoding.ts';
import type { Loan } from '../store/loan.ts';
import { Memory } from '../store/memory.ts';
import type { Held, Shown } from '../store/resident.ts';
import { sendHit } from '../store/send.ts';
import type { Stamps } from '../store/stamps.ts';

export interface CopiesOptions {
  readonly stamps: Stamps;
  /** Most bytes of bodies. */
  readonly memoryBytes: number;
  /** Asks the store for a copy; what comes of it is to be told to `take`. */
  readonly ask: (path: string, encoding: Encoding) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface Copy extends Shown {
  readonly slot: number;
  readonly stamp: number;
  readonly freshUntil: number;
}

/** Forms of pages that may be asked for and not have come yet. */
const MOST_ASKED = 1000;

export class Copies {
  readonly #options: CopiesOptions;
  readonly #pages = new Map<string, Copy>();
  readonly #memory: Memory;
  readonly #wires = new Wires();
  readonly #asked = new Set<string>();
  readonly #milliseconds: () => number;

  constructor(options: CopiesOptions) {
    this.#options = options;
    this.#milliseconds = options.now ?? Date.now;
    this.#memory = new Memory(options.memoryBytes, ({ entry }) => this.#letGo(entry));
  }

  /** True when it has answered: GET or HEAD of a page of which there is a copy that holds. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const now = this.#now();
    const held = this.#held(url, negotiate(request.headers['accept-encoding']), now);
    if (!held) return false;
    sendHit(request, response, held, now);
    return true;
  }

  /** The bytes of a whole answer on a connection that stays open for `keepAlive` seconds; undefined without a copy that holds. */
  answer(read: PlainRead, keepAlive: number): WireAnswer | undefined {
    const now = this.#now();
    const held = this.#held(read.path, read.encoding, now);
    if (!held) return undefined;
    held.entry.touchedAt = now;
    held.entry.hits++;
    return this.#wires.answer(held, read, now, keepAlive);
  }

  /** Told what the store answered to a request that was passed on (`state` is its `X-Page`): a stored page is worth a copy. */
  passed(request: IncomingMessage, status: number, state: string): void {
    if ((status !== 200 && status !== 304) || !/^(hit|rendered);/.test(state)) return;
    const path = request.url ?? '';
    const encoding = negotiate(request.headers['accept-encoding']);
    const key = `${encoding} ${path}`;
    if (this.#asked.has(key) || this.#asked.size >= MOST_ASKED) return;
    this.#asked.add(key);
    this.#options.ask(path, encoding);
  }

  /** What came of a question. */
  take(path: string, encoding: Encoding, loan: Loan | undefined): void {
    this.#asked.delete(`${encoding} ${path}`);
    if (!loan) return;
    let page = this.#pages.get(path);
    if (page && page.stamp !== loan.stamp) {
      this.#drop(page);
      page = undefined;
    }
    if (!page) {
      page = copyOf(loan, this.#options.stamps.slot(path), this.#now());
      this.#pages.set(path, page);
    }
    this.#memory.hold(heldOf(page, loan));
  }

  /** How often pages were shown since the last call. */
  takeCounts(): [path: string, times: number][] {
    const counts: [string, number][] = [];
    for (const page of this.#pages.values()) {
      if (page.hits > 0) counts.push([page.path, page.hits]);
      page.hits = 0;
    }
    return counts;
  }

  #held(path: string, encoding: Encoding, now: number): Held | undefined {
    const page = this.#pages.get(path);
    if (!page) return undefined;
    if (this.#options.stamps.at(page.slot) === page.stamp && now < page.freshUntil) return page[encoding];
    this.#drop(page);
    return undefined;
  }

  #drop(page: Copy): void {
    this.#pages.delete(page.path);
    this.#memory.forget(page);
  }

  /** A page without any body left is none. */
  #letGo(page: Shown): void {
    if (!page.br && !page.gzip && !page.identity && this.#pages.get(page.path) === page) this.#pages.delete(page.path);
  }

  /** Seconds since 1970. */
  #now(): number {
    return Math.trunc(this.#milliseconds() / 1000);
  }
}

function copyOf({ path, stamp, freshUntil, checkedAt }: Loan, slot: number, now: number): Copy {
  const forms = { br: undefined, gzip: undefined, identity: undefined };
  return { path, slot, stamp, freshUntil, checkedAt, touchedAt: now, hits: 0, ...forms };
}

function heldOf(entry: Copy, { encoding, body, etag, head, notModified }: Loan): Held {
  const { buffer, byteOffset, byteLength } = body;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const headers = { head: [...head], notModified: [...notModified] };
  return { entry, encoding, body: bytes, etag, ...headers, age: -1, queuedAt: entry.touchedAt };
}
