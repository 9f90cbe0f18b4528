/** Renders a page once for all waiting readers. After a reader has received a version, no reader gets an older one. */
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
import { sendUncached, unavailable } from './uncached-response.ts';
import { type EdgePolicy, type PageLabel, sendVariant } from './variant.ts';

export type { PageReport } from './explain-page.ts';
export type { Selection } from './repository/sqlite-page-index.ts';

export interface PageStoreOptions {
  /** Created if missing. Only one process at a time may use it, but any web server can serve its `public/` folder. */
  readonly directory: string;
  /** Returns the page at a canonical path as a guest sees it. */
  readonly render: (path: string) => Promise<Response>;
  /** Maximum total size in bytes of the stored pages on disk, in all encodings together. */
  readonly maximumBytes: number;
  readonly memoryBytes: number;
  readonly log: Log;
  /** Identifies the site's build. A page from another build is sent only if it cannot be rendered in time. */
  readonly build?: string;
  /** Identifies the data that pages show. If it equals the `state` of the last `close`, no page has missed a change. */
  readonly state?: string | undefined;
  /** Cache policy for CDNs. By default they revalidate each time. */
  readonly edge?: Partial<EdgePolicy>;
  /** Seconds after which a page is rendered again (default: never). */
  readonly maximumAge?: number;
  /** Maximum milliseconds per render (default 10,000). */
  readonly renderTimeout?: number;
  /** Milliseconds a reader waits for the new version of an outdated page before getting the old one (default 2,000). */
  readonly idleTimeout?: number;
  /** Returns false if pages must not be written to disk; they are then kept only in memory. */
  readonly hasRoom?: () => boolean;
  /** Called if a re-rendered page differs although nothing invalidated it. A change message must have been lost. */
  readonly onStalePageFound?: (path: string) => void;
  readonly now?: () => number;
}

/** The outcome of a page's render. The kind `unkept` is a response that was not stored, e.g. a 404. */
export type Refreshed = SettledOutcome & { readonly path: string };

export type Statistics = ReturnType<PageStore['statistics']>;

const ATTEMPTS = 4;
const SWEEP_AFTER_MS = 30_000;

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
    const settings = {
      ...options,
      build: options.build ?? '',
      maximumAge: options.maximumAge ?? Number.POSITIVE_INFINITY,
      renderTimeout: options.renderTimeout ?? 10_000,
      hasRoom: options.hasRoom ?? (() => true),
      edge: { maxAge: 0, tagHeaders: ['Cache-Tag', 'Surrogate-Key'], ...options.edge },
      now: () => this.#now(),
      milliseconds: this.#milliseconds,
    };
    this.#pages = new PageRepository(settings);
    this.#renderer = new Renderer({ ...settings, pages: this.#pages, invalidations: this.#invalidations });
    this.#queue = new RenderQueue<Outcome>({
      run: (job) => this.#renderer.run(job).finally(() => this.#prune()),
      clock: () => this.#invalidations.clock,
      refuse: () => failed('too many pages are being rendered at once'),
    });
    const start = Date.now();
    const sweep = () =>
      this.#pages.sweep(start).catch((error) => {
        options.log('warn', 'Could not look for files that a crash may have left behind.', error);
      });
    this.#sweep = setTimeout(() => void sweep(), SWEEP_AFTER_MS).unref();
  }

  holds(path: string): boolean {
    return this.#pages.has(path);
  }

  serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    const encoding = negotiate(request.headers['accept-encoding']);
    const variant =
      this.currentVariant(path, encoding) ?? this.#validatedVariant(path, encoding, request.headers['if-none-match']);
    if (variant) {
      sendVariant(request, response, variant, 'hit', this.#now());
      return;
    }
    this.#serveOther(request, response, path).catch((error) => {
      this.#options.log('error', `${path} could not be served.`, error);
      if (response.headersSent) response.destroy();
      else sendUncached(request, response, unavailable('something went wrong'));
    });
  }

  /** Returns the variant and counts a hit; undefined unless the page is current and in memory in that encoding. */
  currentVariant(path: string, encoding: Encoding): Variant | undefined {
    const page = this.#pages.peek(path);
    if (page === undefined || this.#now() >= page.freshUntil) return undefined;
    const variant = page[encoding];
    if (variant) this.#counts.hits++;
    return variant;
  }

  /** Returns a variant for a 304 response. Does not load the page into memory, because exports revalidate all pages. */
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
   * Marks pages as outdated. Readers of the pages in `renderedNow` get the old versions without waiting, because the
   * caller renders these pages. Returns the change's number.
   */
  invalidate(selection: Selection, renderedNow: readonly string[] = []): number {
    const change = this.#invalidations.record(selection);
    this.#pages.outdate(selection, renderedNow);
    this.#prune();
    return change;
  }

  /** Durably drops every page rendered before `change` that shows a removed post or tag. Returns the dropped paths. */
  async remove(selection: Selection, change = this.#invalidations.record(selection)): Promise<string[]> {
    this.#invalidations.recordRemoval(change, selection);
    const leaving = this.#pages.showing(selection).filter((page) => page.renderedAtClock < change);
    this.#pages.drop(leaving);
    this.#prune();
    if (leaving.length > 0) await this.#pages.sync();
    return leaving.map(({ path }) => path);
  }

  /** Waits for a render that includes `change` and returns its outcome. @param requester the id of the waiting user */
  async refresh(
    path: string,
    change: number,
    reason: string,
    priority: Priority = 'write',
    requester?: string,
  ): Promise<Refreshed> {
    return { path, ...(await this.#outcome(path, change, priority, reason, requester)) };
  }

  prioritise(paths: readonly string[], reason: string, requester?: string): void {
    for (const path of paths) this.#queue.prioritise(path, 'write', reason, requester);
  }

  /** Resolves once readers get the results of all running and queued renders of these pages. */
  async rendered(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => this.#queue.last(path)?.result));
  }

  /** Like `refresh` for all changes received so far, but does not render a page that is current. */
  async settle(path: string, reason: string, requester?: string): Promise<Refreshed> {
    const page = this.#pages.get(path);
    if (page && this.#now() < page.freshUntil) return { kind: 'stored', path, page, changed: false };
    const change = page ? this.#changeBehind(page) : this.#invalidations.clock;
    return this.refresh(path, change, reason, 'write', requester);
  }

  paths(selection: Selection): string[] {
    return this.#pages.paths(selection);
  }

  /** Returns the tags of stored pages that begin with `prefix`, each once. */
  tags(prefix: string): string[] {
    return this.#pages.tags(prefix);
  }

  outdated(selection: Selection): number {
    return this.#pages.countOutdated(selection);
  }

  explain(path: string): PageReport | undefined {
    const page = this.#pages.get(path);
    return page && reportOf(page, this.#now());
  }

  statistics() {
    const { size, bytes, memoryBytes } = this.#pages;
    return { pages: size, bytes, memoryBytes, ...this.#counts, ...this.#renderer.counts };
  }

  /** Starts no more background renders, and resolves once no render is running. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Closes the store. Call this after the server has closed. Pass `state` if the store has received every change. */
  close(state?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#sweep);
    this.#pages.close(state);
  }

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
      const present = this.#pages.get(path);
      if (!present) continue;
      if (await this.#send(request, response, present, isSame(present, page) ? label : 'rendered')) return;
    }
    sendUncached(request, response, unavailable('it changes faster than it can be rendered'));
  }

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

  /**
   * Returns the number of the last change that outdated the stored page; 0 if the page is current, or if every running
   * render already includes the change.
   */
  #changeBehind(page: StoredPage): number {
    return this.#invalidations.lastChange(page.renderedAtClock, page);
  }

  /** Sends the page. Returns false if it was replaced or dropped in the meantime, or its files are damaged. */
  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    page: StoredPage,
    label: PageLabel,
  ): Promise<boolean> {
    const encoding = negotiate(request.headers['accept-encoding']);
    const isHeld = label === 'hit' && matchesIfNoneMatch(request.headers['if-none-match'] ?? '', page.etag(encoding));
    const variant = await (isHeld ? this.#pages.withoutBody(page, encoding) : this.#pages.load(page, encoding));
    if (!isSame(this.#pages.get(page.path), page)) return false;
    if (!variant) {
      await this.#abandon(page);
      return false;
    }
    this.#counts[label === 'stale' ? 'stale' : 'hits']++;
    sendVariant(request, response, variant, label, this.#now());
    return true;
  }

  async #abandon(page: StoredPage): Promise<void> {
    const job = this.#queue.current(page.path);
    if (job?.begun !== undefined) await job.result;
    if (!isSame(this.#pages.get(page.path), page)) return;
    this.#options.log('warn', `The stored page ${page.path} is damaged and will be rendered again.`);
    this.#pages.drop([page]);
  }

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
    return failed('it kept being removed while it was being rendered');
  }

  /** Unix time in seconds, used for all page timestamps. */
  #now(): number {
    return Math.trunc(this.#milliseconds() / 1000);
  }

  #prune(): void {
    this.#invalidations.forgetUpTo(this.#queue.oldest ?? this.#invalidations.clock);
  }
}

type SettledOutcome = Exclude<Outcome, { readonly kind: 'void' }>;

/** Compares ETag and storage time, because a page evicted from memory is loaded again as another object. */
const isSame = (one: StoredPage | undefined, other: StoredPage): boolean =>
  one === other ||
  (one?.etag('identity') === other.etag('identity') && one.content.storedAt === other.content.storedAt);
