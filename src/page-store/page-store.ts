/**
 * The page store: public pages rendered once, kept, and changed at once.
 *
 * It stands before the site. A page that is stored is sent as it lies; one that is not is rendered once for everybody
 * who waits. Order holds for each page: nobody is given an older version after anybody was given a newer one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '@common-ink/http/conditional.ts';
import { type Encoding, negotiate } from '@common-ink/http/encoding.ts';
import type { Log } from '@common-ink/http/log.ts';
import { type PageReport, reportOf } from './explain-page.ts';
import { type Priority, RenderQueue } from './rendering/render-queue.ts';
import { failed, type Outcome, Renderer } from './rendering/renderer.ts';
import { Invalidations } from './repository/invalidations.ts';
import { PageRepository } from './repository/page-repository.ts';
import type { Selection } from './repository/sqlite-page-index.ts';
import type { StoredPage, Variant } from './repository/stored-page.ts';
import { sendHit, sendLabelled } from './send-variant.ts';
import { sendUncached, unavailable } from './uncached-response.ts';
import type { EdgePolicy, PageLabel } from './variant.ts';

export type { PageReport } from './explain-page.ts';
export type { Selection } from './repository/sqlite-page-index.ts';

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
  /** Seconds after which any page is rendered again although nothing is known to have changed (default: never). */
  readonly maximumAge?: number;
  /** Milliseconds a render may take (default 10,000). */
  readonly renderTimeout?: number;
  /** Milliseconds a reader waits for the new version of an outdated page before the old one is sent (default 2,000). */
  readonly idleTimeout?: number;
  /** Whether pages may take room on the disk now (default: always). Without, they are kept in memory alone. */
  readonly hasRoom?: () => boolean;
  /** Called when a re-render differs although no invalidation was received, which means that a message was lost. */
  readonly onStalePageFound?: (path: string) => void;
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
  /** By whom they were for. */
  readonly renders: Readonly<Record<Priority, number>>;
  readonly failures: number;
}

const ATTEMPTS = 4;
/** Milliseconds after the start before files that a crash left behind are looked for. */
const SWEEP_AFTER = 30_000;

export function createPageStore(options: PageStoreOptions): PageStore {
  return new PageStore(options);
}

export class PageStore {
  readonly #options: PageStoreOptions;
  readonly #milliseconds: () => number;
  readonly #pages: PageRepository;
  readonly #invalidations = new Invalidations();
  readonly #renderer: Renderer;
  readonly #queue: RenderQueue<Outcome>;
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;
  #counts = { hits: 0, stale: 0 };

  constructor(options: PageStoreOptions) {
    this.#options = options;
    this.#milliseconds = options.now ?? Date.now;
    const maximumAge = options.maximumAge ?? Number.POSITIVE_INFINITY;
    this.#pages = new PageRepository({
      directory: options.directory,
      build: options.build ?? '',
      state: options.state,
      maximumAge,
      maximumBytes: options.maximumBytes,
      memoryBytes: options.memoryBytes,
      edge: { maxAge: 0, tagHeaders: ['Cache-Tag', 'Surrogate-Key'], ...options.edge },
      hasRoom: options.hasRoom ?? (() => true),
      log: options.log,
      now: () => this.#now(),
    });
    this.#renderer = new Renderer({
      pages: this.#pages,
      invalidations: this.#invalidations,
      render: options.render,
      timeout: options.renderTimeout ?? 10_000,
      maximumAge,
      maximumBytes: options.maximumBytes,
      onStalePageFound: options.onStalePageFound,
      log: options.log,
      milliseconds: this.#milliseconds,
    });
    this.#queue = new RenderQueue<Outcome>({
      run: (job) => this.#renderer.run(job).finally(() => this.#prune()),
      clock: () => this.#invalidations.clock,
      refuse: () => failed('too many pages are being rendered at once'),
    });
    const start = Date.now();
    const sweep = () =>
      this.#pages.sweep(start).catch((error) => {
        options.log('warn', 'Files that a crash may have left behind were not looked for.', error);
      });
    this.#sweep = setTimeout(() => void sweep(), SWEEP_AFTER).unref();
  }

  /** True when a page is stored at this very address. */
  holds(path: string): boolean {
    return this.#pages.has(path);
  }

  /** Answers GET or HEAD of the page at a canonical address. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    const encoding = negotiate(request.headers['accept-encoding']);
    const variant =
      this.currentVariant(path, encoding) ?? this.#validatedVariant(path, encoding, request.headers['if-none-match']);
    if (variant) {
      sendHit(request, response, variant, this.#now());
      return;
    }
    this.#serveOther(request, response, path).catch((error) => {
      this.#options.log('error', `${path} could not be served.`, error);
      if (response.headersSent) response.destroy();
      else sendUncached(request, response, unavailable('something went wrong'));
    });
  }

  /** Counts a hit and gives its bytes; undefined unless the page is current and in memory in that coding. */
  currentVariant(path: string, encoding: Encoding): Variant | undefined {
    const page = this.#pages.peek(path);
    if (page === undefined || this.#now() >= page.freshUntil) return undefined;
    const variant = page[encoding];
    if (variant) this.#counts.hits++;
    return variant;
  }

  /** What answers a conditional request that matches a current page: an export asks for all of them, and readers' pages stay in memory. */
  #validatedVariant(path: string, encoding: Encoding, condition: string | undefined): Variant | undefined {
    if (condition === undefined) return undefined;
    const page = this.#pages.find(path);
    if (!page || this.#now() >= page.freshUntil || !matchesIfNoneMatch(condition, page.etag(encoding)))
      return undefined;
    this.#counts.hits++;
    this.#pages.touch(page);
    return this.#pages.withoutBody(page, encoding);
  }

  /**
   * Says that pages are outdated, and gives the number of that change. The addresses in `renderedNow` are rendered by
   * the caller: until then their readers get the old bytes. The others' readers wait for the new ones.
   */
  invalidate(selection: Selection, renderedNow: readonly string[] = []): number {
    const change = this.#invalidations.record(selection);
    this.#pages.outdate(selection, renderedNow);
    this.#prune();
    return change;
  }

  /**
   * Takes away, before it ends, every page that shows what is gone and was rendered before `change`: from readers, from
   * memory and from the folder. Gives their addresses.
   */
  async remove(selection: Selection, change = this.#invalidations.record(selection)): Promise<string[]> {
    this.#invalidations.recordRemoval(change, selection);
    const leaving = this.#pages.showing(selection).filter((page) => page.renderedAtClock < change);
    this.#pages.drop(leaving);
    this.#prune();
    if (leaving.length > 0) await this.#pages.sync();
    return leaving.map(({ path }) => path);
  }

  /** Renders a page anew and ends when a render that has seen `change` is stored. Somebody waits for it with priority `write`. */
  async refresh(
    path: string,
    change: number,
    reason: string,
    priority: Priority = 'write',
    requester?: string,
  ): Promise<Refreshed> {
    return refreshed(path, await this.#outcome(path, change, priority, reason, requester));
  }

  /** A writer waits for these pages: if their renders have yet to begin, they go before all others. `requester`: the user. */
  prioritise(paths: readonly string[], reason: string, requester?: string): void {
    for (const path of paths) this.#queue.prioritise(path, 'write', reason, requester);
  }

  /** Ends when readers are given what the renders of these pages bring that are under way or wait for their turn. */
  async rendered(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => this.#queue.last(path)?.result));
  }

  /** Like `refresh`, for when every change is known to have been received: nothing is rendered that is current. */
  async settle(path: string, reason: string, requester?: string): Promise<Refreshed> {
    const page = this.#pages.get(path);
    if (page && this.#now() < page.freshUntil) return { kind: 'stored', path, changed: false };
    const change = page ? this.#changeBehind(page) : this.#invalidations.clock;
    return refreshed(path, await this.#outcome(path, change, 'write', reason, requester));
  }

  /** The addresses of stored pages. */
  paths(selection: Selection): string[] {
    return this.#pages.paths(selection);
  }

  /** How many stored pages have yet to be rendered again. */
  outdated(selection: Selection): number {
    return this.#pages.countOutdated(selection);
  }

  explain(path: string): PageReport | undefined {
    const page = this.#pages.get(path);
    return page && reportOf(page, this.#now());
  }

  statistics(): Statistics {
    const { size, bytes, memoryBytes } = this.#pages;
    return { pages: size, bytes, memoryBytes, ...this.#counts, ...this.#renderer.counts };
  }

  /** Before the site closes: ends when no page is being rendered. Nothing of the background is begun any more. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Call it after the server has closed; with the `state` of what pages are made of, when the store has received every change. */
  close(state?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#sweep);
    this.#pages.close(state);
  }

  /** Everything but a hit on bytes in memory. */
  async #serveOther(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const page = this.#pages.get(path);
      if (!page) {
        const outcome = await this.#outcome(path, this.#invalidations.clock, 'read', 'a reader asked for it');
        if (outcome.kind !== 'stored') return sendUncached(request, response, outcome.response);
        if (await this.#send(request, response, outcome.page, 'rendered')) return;
        continue;
      }
      const label = await this.#labelFor(page);
      // Waiting may have brought a newer page, or none.
      const present = this.#pages.get(path);
      if (!present) continue;
      if (await this.#send(request, response, present, isSame(present, page) ? label : 'rendered')) return;
    }
    sendUncached(request, response, unavailable('it changes faster than it can be rendered'));
  }

  /** How a stored page is to be sent; ends when it may be. */
  async #labelFor(page: StoredPage): Promise<PageLabel> {
    if (this.#now() < page.freshUntil) return 'hit';
    const { isPaused } = this.#renderer;
    if (!page.isOutdated) {
      const reason = page.isVerified ? 'its time was up' : 'confirmed after a restart';
      if (!isPaused) this.#queue.join(page.path, 0, 'background', reason);
      return page.isVerified || isPaused ? 'stale' : 'hit';
    }
    if (!page.hasWaiters || isPaused) return 'stale';
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.idleTimeout ?? 2000);
    const outcome = this.#outcome(page.path, this.#changeBehind(page), 'read', 'a reader asked for it');
    await Promise.race([outcome, enough]);
    clearTimeout(timer);
    return this.#now() < (this.#pages.get(page.path)?.freshUntil ?? 0) ? 'rendered' : 'stale';
  }

  /** The change that a page has not seen; one that is forgotten was seen by every render that is under way. */
  #changeBehind(page: StoredPage): number {
    return this.#invalidations.lastChange(page.renderedAtClock, page);
  }

  /** False when the page was replaced or taken away meanwhile, or its files are damaged: look again. */
  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    page: StoredPage,
    label: PageLabel,
  ): Promise<boolean> {
    const encoding = negotiate(request.headers['accept-encoding']);
    // A conditional request that matches needs no file to be read.
    const isHeld = label === 'hit' && matchesIfNoneMatch(request.headers['if-none-match'] ?? '', page.etag(encoding));
    const variant = await (isHeld ? this.#pages.withoutBody(page, encoding) : this.#pages.load(page, encoding));
    if (!isSame(this.#pages.get(page.path), page)) return false;
    if (!variant) {
      await this.#abandon(page);
      return false;
    }
    this.#counts[label === 'stale' ? 'stale' : 'hits']++;
    if (label === 'hit') sendHit(request, response, variant, this.#now());
    else sendLabelled(request, response, variant, label, this.#now());
    return true;
  }

  /** A page whose file is missing or damaged: another version is on its way, or it is dropped. */
  async #abandon(page: StoredPage): Promise<void> {
    const job = this.#queue.current(page.path);
    if (job?.begun !== undefined) await job.result;
    if (!isSame(this.#pages.get(page.path), page)) return;
    this.#options.log('warn', `The stored page ${page.path} is damaged; it is rendered again.`);
    this.#pages.drop([page]);
  }

  /** What a render that has seen `change` gives. */
  async #outcome(
    path: string,
    change: number,
    priority: Priority,
    reason: string,
    requester?: string,
  ): Promise<SettledOutcome> {
    let after = change;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const outcome = await this.#queue.join(path, after, priority, reason, requester).result;
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
    this.#invalidations.forgetUpTo(this.#queue.oldest ?? this.#invalidations.clock);
  }
}

type SettledOutcome = Exclude<Outcome, { readonly kind: 'void' }>;

function refreshed(path: string, outcome: SettledOutcome): Refreshed {
  if (outcome.kind === 'stored') return { kind: 'stored', path, changed: outcome.changed };
  if (outcome.kind === 'unkept') return { kind: 'unkept', path, status: outcome.response.status };
  return { kind: 'failed', path, why: outcome.why };
}

/** Whether both are the same version of a page; it may have left the memory and come back. */
const isSame = (one: StoredPage | undefined, other: StoredPage): boolean =>
  one === other || (one?.etag('identity') === other.etag('identity') && one.storedAt === other.storedAt);
