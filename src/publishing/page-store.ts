/**
 * The page store: public pages rendered once, kept, and changed at once.
 *
 * It stands before the site. A page that is stored is sent as it lies; one that is not is rendered once for everybody
 * who waits. Order holds for each page: nobody is given an older version after anybody was given a newer one.
 *
 * It is the one door to all of this, hence its length; how each part is done stands in `store/`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainRead } from './plain/plain-read.ts';
import { type WireAnswer, Wires } from './plain/wires.ts';
import { Archive, type Log } from './store/archive.ts';
import { type Encoding, negotiate } from './store/encoding.ts';
import type { Entry } from './store/entry.ts';
import { FINISHING_HERE, type Finishing } from './store/finishing.ts';
import { Flights, type Lane } from './store/flights.ts';
import { Invalidations } from './store/invalidations.ts';
import { type Loan, loanOf } from './store/loan.ts';
import type { Selection } from './store/page-index.ts';
import { sendPassing, unavailable } from './store/passing.ts';
import { failed, type Outcome, Renders } from './store/renders.ts';
import { type PageReport, reportOf } from './store/report.ts';
import type { EdgePolicy, PageLabel } from './store/resident.ts';
import { sendHit, sendLabelled } from './store/send.ts';
import type { Stamps } from './store/stamps.ts';
import { POSTS } from './tags.ts';

export type { Log } from './store/archive.ts';
export type { Selection } from './store/page-index.ts';
export type { PageReport } from './store/report.ts';

export interface PageStoreOptions {
  /** Made when missing. `public/` in it can be served by any web server. One process at a time. */
  readonly directory: string;
  /** Gives the page at a canonical address as a guest sees it, whoever asks. */
  readonly render: (path: string) => Promise<Response>;
  /** Most bytes of pages on disk, all forms counted. */
  readonly maximumBytes: number;
  /** Most bytes of bodies in memory. */
  readonly memoryBytes: number;
  readonly log: Log;
  /** Names the build of the site. Pages of another build are rendered again before they are shown, if they can be. */
  readonly build?: string;
  /**
   * Names the state of all that pages are made of. Where it is what it was when the store was closed, stored pages are
   * current; without it, or with another one, each is rendered once behind its first reader's back.
   */
  readonly state?: string | undefined;
  /** For CDNs; without it they ask again each time. */
  readonly edge?: Partial<EdgePolicy>;
  /** Makes compressed forms and files (default: in this thread and the process's pool). */
  readonly finishing?: Finishing;
  /** Seconds after which any page is rendered again although nothing is known to have changed (default: never). */
  readonly maximumAge?: number;
  /** Milliseconds a render may take (default 10,000). */
  readonly renderTimeout?: number;
  /** Milliseconds a reader waits for the new version of an outdated page before the old one is sent (default 2,000). */
  readonly patience?: number;
  /** Told of a page that is not what it was, although nothing was known to have changed: a message was lost. */
  readonly onFound?: (path: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What became of a page that was to be rendered. */
export type Refreshed =
  | { readonly kind: 'stored'; readonly path: string; readonly changed: boolean }
  /** The site answers something that is no page to keep: 404, a redirect. What was stored is gone. */
  | { readonly kind: 'unkept'; readonly path: string; readonly status: number }
  /** What was stored stays. */
  | { readonly kind: 'failed'; readonly path: string; readonly why: string };

export interface Statistics {
  readonly pages: number;
  readonly bytes: number;
  readonly memoryBytes: number;
  readonly hits: number;
  readonly stale: number;
  readonly renders: number;
  readonly failures: number;
}

const ATTEMPTS = 4;
/** Milliseconds that the compressed forms of a page wait for renders of others. */
const LONGEST_BUSY = 20;
/** Bytes of pages that are shown while their compressed forms and files are being made: they are held in memory. */
const MOST_UNFINISHED = 8 * 1024 * 1024;

export function createPageStore(options: PageStoreOptions): PageStore {
  return new PageStore(options);
}

export class PageStore {
  readonly #options: PageStoreOptions;
  readonly #milliseconds: () => number;
  readonly #archive: Archive;
  readonly #invalidations = new Invalidations();
  readonly #renders: Renders;
  readonly #flights: Flights<Outcome>;
  readonly #wires = new Wires();
  readonly #sweep: NodeJS.Timeout;
  #closed = false;
  #counts = { hits: 0, stale: 0 };

  constructor(options: PageStoreOptions) {
    this.#options = options;
    this.#milliseconds = options.now ?? Date.now;
    this.#archive = new Archive({
      directory: options.directory,
      build: options.build ?? '',
      state: options.state,
      maximumAge: options.maximumAge ?? Number.POSITIVE_INFINITY,
      maximumBytes: options.maximumBytes,
      memoryBytes: options.memoryBytes,
      edge: { maxAge: 0, tagHeaders: ['Cache-Tag', 'Surrogate-Key'], ...options.edge },
      finishing: options.finishing ?? FINISHING_HERE,
      leisure: () => this.#flights.leisure(LONGEST_BUSY),
      log: options.log,
      now: () => this.#now(),
    });
    this.#renders = new Renders({
      archive: this.#archive,
      invalidations: this.#invalidations,
      render: options.render,
      timeout: options.renderTimeout ?? 10_000,
      maximumAge: options.maximumAge ?? Number.POSITIVE_INFINITY,
      maximumBytes: options.maximumBytes,
      onFound: options.onFound,
      log: options.log,
      milliseconds: this.#milliseconds,
    });
    this.#flights = new Flights<Outcome>({
      run: (flight) => this.#renders.run(flight).finally(() => this.#prune()),
      clock: () => this.#invalidations.clock,
      isFull: () => this.#archive.unfinishedBytes >= MOST_UNFINISHED,
      refuse: () => failed('too many pages are being rendered at once'),
    });
    const start = Date.now();
    const sweep = () =>
      this.#archive.sweep(start).catch((error) => {
        options.log('warn', 'Files that a crash may have left behind were not looked for.', error);
      });
    this.#sweep = setTimeout(() => void sweep(), 30_000).unref();
  }

  /** True when a page is stored at this very address. */
  holds(path: string): boolean {
    return this.#archive.index.has(path);
  }

  /** Answers GET or HEAD of the page at a canonical address. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    const now = this.#now();
    const entry = this.#archive.index.get(path);
    if (entry !== undefined && now < entry.freshUntil) {
      const resident = entry[negotiate(request.headers['accept-encoding'])];
      if (resident !== undefined) {
        this.#counts.hits++;
        sendHit(request, response, resident, now);
        return;
      }
    }
    this.#serveOther(request, response, path).catch((error) => {
      this.#options.log('error', `${path} could not be served.`, error);
      if (response.headersSent) response.destroy();
      else sendPassing(request, response, unavailable('something went wrong'));
    });
  }

  /** The bytes of a whole answer on a connection that stays open for `keepAlive` seconds; undefined unless it is a plain hit. */
  answer(read: PlainRead, keepAlive: number): WireAnswer | undefined {
    const entry = this.#archive.index.getWarm(read.path);
    const now = this.#now();
    if (entry === undefined || now >= entry.freshUntil) return undefined;
    const resident = entry[read.encoding];
    if (resident === undefined) return undefined;
    this.#counts.hits++;
    entry.touchedAt = now;
    entry.hits++;
    return this.#wires.answer(resident, read, now, keepAlive);
  }

  /** The memory that says of each page whether copies of it still hold. */
  get stamps(): Stamps {
    return this.#archive.index.stamps;
  }

  /** A copy of a page that is current and in memory; undefined when it is not. */
  lend(path: string, encoding: Encoding): Loan | undefined {
    const entry = this.#archive.index.get(path);
    const resident = entry?.[encoding];
    return entry && resident && this.#now() < entry.freshUntil ? loanOf(entry, resident, this.stamps) : undefined;
  }

  /** Somebody who holds a copy of the page has shown it so many times. */
  wasShown(path: string, times: number): void {
    const entry = this.#archive.index.get(path);
    if (!entry) return;
    entry.hits += times;
    entry.touchedAt = this.#now();
    this.#counts.hits += times;
  }

  /**
   * Says that pages are outdated, and gives the number of that change. The addresses in `renderedNow` are rendered by
   * the caller: until then their readers get the old bytes. The others' readers wait for the new ones.
   */
  invalidate(selection: Selection, renderedNow: readonly string[] = []): number {
    const change = this.#invalidations.record(selection);
    this.#archive.index.outdate(selection, change, renderedNow);
    this.#archive.note({ t: 'old', g: selection.tags ?? [], p: selection.paths ?? [] });
    this.#prune();
    return change;
  }

  /**
   * Takes away, before it ends, every page that shows what is gone and was rendered before `change`: from readers, from
   * memory and from the folder. Gives their addresses.
   */
  async remove(selection: Selection, change = this.#invalidations.record(selection)): Promise<string[]> {
    this.#invalidations.recordRemoval(change, selection);
    const { tags = [], paths = [] } = selection;
    const leaving = this.#archive.index.showing(tags, paths, POSTS).filter((entry) => entry.asOf < change);
    await Promise.all([this.#archive.drop(leaving, true), this.#archive.storesEnded()]);
    this.#prune();
    return leaving.map((entry) => entry.path);
  }

  /** Renders a page anew and ends when a render that has seen `change` is stored. Somebody waits for it in the lane `write`. */
  async refresh(path: string, change: number, reason: string, lane: Lane = 'write'): Promise<Refreshed> {
    const outcome = await this.#outcome(path, change, lane, reason, 'result');
    if (outcome.kind === 'stored') return { kind: 'stored', path, changed: outcome.changed };
    if (outcome.kind === 'unkept') return { kind: 'unkept', path, status: outcome.passing.status };
    return { kind: 'failed', path, why: outcome.why };
  }

  /** A writer waits for these pages: if their renders have yet to begin, they go before all others. */
  hurry(paths: readonly string[], reason: string): void {
    for (const path of paths) this.#flights.hurry(path, 'write', reason);
  }

  /** Ends when readers are given what the renders of these pages bring that are under way or wait for their turn. */
  async shown(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => this.#flights.last(path)?.shown));
  }

  /** Like `refresh`, for when every change is known to have been heard: nothing is rendered that is current. */
  async settle(path: string, reason: string): Promise<Refreshed> {
    const entry = this.#archive.index.get(path);
    if (entry && this.#now() < entry.freshUntil) return { kind: 'stored', path, changed: false };
    return this.refresh(path, entry ? entry.outdatedBy : this.#invalidations.clock, reason);
  }

  /** The addresses of stored pages. */
  paths(selection: Selection): string[] {
    return this.#archive.index.paths(selection);
  }

  /** How many stored pages have yet to be rendered again. */
  outdated(selection: Selection): number {
    return this.#archive.index.outdated(selection);
  }

  explain(path: string): PageReport | undefined {
    const entry = this.#archive.index.get(path);
    return entry && { ...reportOf(entry, this.#now()), onDisk: this.#archive.isOnDisk(entry) };
  }

  statistics(): Statistics {
    const { index, memoryBytes } = this.#archive;
    return { pages: index.size, bytes: index.bytes, memoryBytes, ...this.#counts, ...this.#renders.counts };
  }

  /** Ends when every page that readers have been given is on disk. */
  stored(): Promise<void> {
    return this.#archive.storesEnded();
  }

  /** Before the site closes: ends when no page is being rendered. Only what somebody asks for is still begun. */
  rest(): Promise<void> {
    return this.#flights.rest();
  }

  /**
   * Ends when everything is on disk. Call it after the server has closed; with the `state` of what pages are made of,
   * when the store has heard of every change.
   */
  async close(state?: string): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#sweep);
    await this.#archive.close(state);
  }

  /** Everything but a hit on bytes in memory. */
  async #serveOther(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const entry = this.#archive.index.get(path);
      if (!entry) {
        const outcome = await this.#outcome(path, this.#invalidations.clock, 'read', 'a reader asked for it', 'shown');
        if (outcome.kind !== 'stored') return sendPassing(request, response, outcome.passing);
        if (await this.#send(request, response, outcome.entry, 'rendered')) return;
        continue;
      }
      const label = await this.#labelFor(entry);
      // Waiting may have brought a newer page, or none.
      const present = this.#archive.index.get(path);
      if (present && (await this.#send(request, response, present, present === entry ? label : 'rendered'))) return;
    }
    sendPassing(request, response, unavailable('it changes faster than it can be rendered'));
  }

  /** How a stored page is to be sent; ends when it may be. */
  async #labelFor(entry: Entry): Promise<PageLabel> {
    const now = this.#now();
    if (now < entry.freshUntil) return 'hit';
    const paused = this.#renders.arePaused;
    if (entry.outdatedBy === 0) {
      const reason = entry.asOf === 0 ? 'confirmed after a restart' : 'its time was up';
      if (!paused) void this.#flights.join(entry.path, 0, 'background', reason);
      return entry.asOf === 0 && !paused ? 'hit' : 'stale';
    }
    if (!entry.awaited || paused) return 'stale';
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.patience ?? 2000);
    await Promise.race([this.#outcome(entry.path, entry.outdatedBy, 'read', 'a reader asked for it', 'shown'), enough]);
    clearTimeout(timer);
    return this.#now() < entry.freshUntil ? 'rendered' : 'stale';
  }

  /** False when the page was replaced or taken away meanwhile, or its files are damaged: look again. */
  async #send(request: IncomingMessage, response: ServerResponse, entry: Entry, label: PageLabel): Promise<boolean> {
    const encoding = negotiate(request.headers['accept-encoding']);
    const resident = entry[encoding] ?? (await this.#archive.load(entry, encoding));
    if (this.#archive.index.get(entry.path) !== entry) return false;
    if (!resident) {
      await this.#abandon(entry);
      return false;
    }
    this.#counts[label === 'stale' ? 'stale' : 'hits']++;
    if (label === 'hit') sendHit(request, response, resident, this.#now());
    else sendLabelled(request, response, resident, label, this.#now());
    return true;
  }

  /** A page whose file is missing or damaged: another version is on its way, or it is dropped. */
  async #abandon(entry: Entry): Promise<void> {
    const flight = this.#flights.of(entry.path);
    if (flight?.begun !== undefined) await flight.result;
    if (this.#archive.index.get(entry.path) !== entry) return;
    this.#options.log('warn', `The stored page ${entry.path} is damaged; it is rendered again.`);
    await this.#archive.drop([entry]);
  }

  /** What a render that has seen `change` gives: when readers may have it (`shown`), or when it survives a restart. */
  async #outcome(
    path: string,
    change: number,
    lane: Lane,
    reason: string,
    awaited: 'shown' | 'result',
  ): Promise<Exclude<Outcome, { readonly kind: 'void' }>> {
    let after = change;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const outcome = await this.#flights.join(path, after, lane, reason)[awaited];
      if (outcome.kind !== 'void') return outcome;
      after = this.#invalidations.clock;
    }
    return failed('it was taken away again and again while it was rendered');
  }

  /** Whole seconds since 1970, the unit of all that is remembered of a page. */
  #now(): number {
    return Math.trunc(this.#milliseconds() / 1000);
  }

  #prune(): void {
    this.#invalidations.forgetUpTo(this.#flights.oldest ?? this.#invalidations.clock);
  }
}
