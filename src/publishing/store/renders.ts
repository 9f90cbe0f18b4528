/** Renders pages and does to the store what the answer says: keep it, find it unchanged, drop it, or leave what is there. */
import type { Archive, Log } from './archive.ts';
import { type Entry, freshUntil } from './entry.ts';
import type { Flight } from './flights.ts';
import type { Invalidations } from './invalidations.ts';
import { keepingOf, ownHeaders } from './keeping.ts';
import { type Passing, passingOf, unavailable } from './passing.ts';
import { isFault, type Rendered, renderWithin } from './render.ts';

/** What became of a render. */
export type Outcome =
  | { readonly kind: 'stored'; readonly entry: Entry; readonly changed: boolean }
  | { readonly kind: 'unkept'; readonly passing: Passing }
  | { readonly kind: 'failed'; readonly passing: Passing; readonly why: string }
  /** What the page shows was taken away while it was rendered. */
  | { readonly kind: 'void' };

export interface RendersOptions {
  readonly archive: Archive;
  readonly invalidations: Invalidations;
  readonly render: (path: string) => Promise<Response>;
  /** Milliseconds a render may take. */
  readonly timeout: number;
  /** Seconds after which any page is rendered again. */
  readonly maximumAge: number;
  /** Of all pages on disk. */
  readonly maximumBytes: number;
  /** Told of a page that is not what it was, although nothing was known to have changed. */
  readonly onFound?: ((path: string) => void) | undefined;
  readonly log: Log;
  /** Since 1970. */
  readonly milliseconds: () => number;
}

/** When the backend seems to be down, outdated pages are sent without another attempt for this long. */
const PAUSE_AFTER_FAILURE = 1000;

export class Renders {
  readonly #options: RendersOptions;
  #pausedUntil = 0;
  #renders = 0;
  #failures = 0;

  constructor(options: RendersOptions) {
    this.#options = options;
  }

  get counts(): { readonly renders: number; readonly failures: number } {
    return { renders: this.#renders, failures: this.#failures };
  }

  /** True while the backend seems to be down. */
  get arePaused(): boolean {
    return this.#options.milliseconds() < this.#pausedUntil;
  }

  /** For `Flights`: renders the page and stores what comes of it. Never rejects. */
  async run(flight: Flight<Outcome>): Promise<Outcome> {
    const { path } = flight;
    this.#renders++;
    try {
      const timeout = this.#options.timeout;
      const rendered = await renderWithin(this.#options.render, path, timeout);
      if (!isFault(rendered.response)) {
        this.#pausedUntil = 0;
        return await this.#settled(flight, rendered);
      }
      const { response, body, milliseconds } = rendered;
      // A 500 is this page's own trouble.
      if (response.status !== 500) this.#pause();
      return this.#failure(path, `the site answered ${response.status}`, passingOf(response, body, milliseconds));
    } catch (error) {
      this.#pause();
      this.#options.log('error', error instanceof Error ? error.message : `${path} failed.`, error);
      return this.#failure(path, 'the page could not be rendered');
    }
  }

  #failure(path: string, why: string, passing?: Passing): Outcome {
    this.#failures++;
    const entry = this.#options.archive.index.get(path);
    // Nobody renders it for the reader any more: the next one tries.
    if (entry && entry.outdatedBy > 0) entry.awaited = true;
    return passing ? { kind: 'failed', passing, why } : failed(why);
  }

  #pause(): void {
    this.#pausedUntil = this.#options.milliseconds() + PAUSE_AFTER_FAILURE;
  }

  /** What a rendered answer does to the store. */
  async #settled(flight: Flight<Outcome>, { response, body, milliseconds }: Rendered): Promise<Outcome> {
    const { path, reason } = flight;
    const asOf = flight.begun ?? 0;
    const former = this.#options.archive.index.get(path);
    const keeping = keepingOf(response);
    if (!keeping || 'refused' in keeping) {
      if (keeping) this.#options.log('warn', `${path} is not stored: ${keeping.refused}.`);
      if (former) await this.#options.archive.drop([former], true);
      if (former?.outdatedBy === 0) this.#options.onFound?.(path);
      return { kind: 'unkept', passing: passingOf(response, body, milliseconds) };
    }
    const { maxAge, tags } = keeping;
    const page = { path, tags, maxAge, reason, headers: ownHeaders(response.headers) };
    if (this.#options.invalidations.removedAfter(asOf, page)) return { kind: 'void' };
    if (3 * body.length > this.#options.maximumBytes) {
      return { kind: 'unkept', passing: passingOf(response, body, milliseconds) };
    }
    const isSameBody = former !== undefined && this.#options.archive.isBody(former, body);
    if (isSameBody && this.#options.archive.isSame(former, page)) {
      this.#confirm(former, flight, milliseconds);
      return { kind: 'stored', entry: former, changed: false };
    }
    const accept = (next: Entry) => {
      if (this.#options.invalidations.removedAfter(asOf, page)) return false;
      this.#date(next, flight, milliseconds);
      return true;
    };
    const wasFound = former?.outdatedBy === 0;
    const shown = (entry: Entry) => flight.show({ kind: 'stored', entry, changed: true });
    const entry = await this.#options.archive.store({ ...page, body: isSameBody ? undefined : body }, accept, shown);
    if (entry && wasFound) this.#options.onFound?.(path);
    return entry ? { kind: 'stored', entry, changed: true } : { kind: 'void' };
  }

  /** The page came out the same. */
  #confirm(entry: Entry, flight: Flight<Outcome>, milliseconds: number): void {
    const wasDoubtful = entry.outdatedBy > 0 || entry.asOf === 0;
    entry.checkedAt = Math.trunc(this.#options.milliseconds() / 1000);
    this.#date(entry, flight, milliseconds);
    this.#options.archive.index.stamps.raise(entry.path);
    if (wasDoubtful && entry.outdatedBy === 0) {
      this.#options.archive.note({ t: 'same', p: entry.path, at: entry.checkedAt });
    }
  }

  /** Says how current an entry is that a flight has just brought. */
  #date(entry: Entry, flight: Flight<Outcome>, milliseconds: number): void {
    entry.asOf = flight.begun ?? 0;
    entry.renderTime = Math.round(milliseconds * 10);
    entry.outdatedBy = this.#options.invalidations.outdatedBy(entry.asOf, { path: entry.path, tags: entry.tagNames });
    entry.awaited = entry.outdatedBy > 0 && flight.following === undefined;
    entry.freshUntil = entry.outdatedBy > 0 ? 0 : freshUntil(entry, this.#options.maximumAge);
  }
}

export function failed(why: string): Extract<Outcome, { kind: 'failed' }> {
  return { kind: 'failed', why, passing: unavailable(why) };
}
