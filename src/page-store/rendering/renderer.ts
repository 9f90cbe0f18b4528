import { setImmediate as nextTurn } from 'node:timers/promises';
import { compress } from '@common-ink/http/compression.ts';
import type { Log } from '@common-ink/http/log.ts';
import { cacheDirectivesOf, ownHeaders } from '../cache-directives.ts';
import type { Invalidations } from '../repository/invalidations.ts';
import type { PageRepository } from '../repository/page-repository.ts';
import type { StoredPage } from '../repository/stored-page.ts';
import { type UncachedResponse, unavailable, uncachedResponse } from '../uncached-response.ts';
import type { Priority, RenderJob } from './render-queue.ts';
import { printable } from './strip-invalid-characters.ts';

export type Outcome =
  | { readonly kind: 'stored'; readonly page: StoredPage; readonly changed: boolean }
  | { readonly kind: 'unkept'; readonly response: UncachedResponse }
  | { readonly kind: 'failed'; readonly response: UncachedResponse; readonly why: string }
  /** A post or tag that the page shows was removed during the render. */
  | { readonly kind: 'void' };

export interface RendererOptions {
  readonly pages: PageRepository;
  readonly invalidations: Invalidations;
  readonly render: (path: string) => Promise<Response>;
  readonly renderTimeout: number;
  readonly maximumAge: number;
  readonly maximumBytes: number;
  readonly onStalePageFound?: ((path: string) => void) | undefined;
  readonly log: Log;
  /** Returns the Unix time in milliseconds. */
  readonly milliseconds: () => number;
}

/** Time after a backend failure during which outdated pages are sent without a new render. */
const PAUSE_AFTER_FAILURE_MS = 1000;

export class Renderer {
  readonly #options: RendererOptions;
  #pausedUntil = 0;
  readonly #renders: Record<Priority, number> = { write: 0, read: 0, publish: 0, background: 0 };
  #failures = 0;

  constructor(options: RendererOptions) {
    this.#options = options;
  }

  get counts(): { readonly renders: Readonly<Record<Priority, number>>; readonly failures: number } {
    return { renders: { ...this.#renders }, failures: this.#failures };
  }

  get isPaused(): boolean {
    return this.#options.milliseconds() < this.#pausedUntil;
  }

  /** Renders a page for `RenderQueue`. Never rejects. */
  async run(job: RenderJob<Outcome>): Promise<Outcome> {
    const { path } = job;
    this.#renders[job.priority]++;
    try {
      const rendered = await renderWithin(this.#options.render, path, this.#options.renderTimeout);
      if (!isFault(rendered.response)) {
        this.#pausedUntil = 0;
        return await this.#settle(job, rendered);
      }
      const { response, body, milliseconds } = rendered;
      // A 500 affects only this page, so it does not pause other renders.
      if (response.status !== 500) this.#pause();
      const uncached = uncachedResponse(response, body, milliseconds);
      return this.#failure(path, `the site answered ${response.status}`, uncached);
    } catch (error) {
      this.#pause();
      this.#options.log('error', error instanceof Error ? error.message : `${path} failed.`, error);
      return this.#failure(path, 'the page could not be rendered');
    }
  }

  #failure(path: string, why: string, response?: UncachedResponse): Outcome {
    this.#failures++;
    const page = this.#options.pages.peek(path);
    if (page?.isOutdated) page.hasWaiters = true;
    return response ? { kind: 'failed', response, why } : failed(why);
  }

  #pause(): void {
    this.#pausedUntil = this.#options.milliseconds() + PAUSE_AFTER_FAILURE_MS;
  }

  async #settle(job: RenderJob<Outcome>, { response, body, milliseconds }: Rendered): Promise<Outcome> {
    const { pages, invalidations, maximumBytes, onStalePageFound, log } = this.#options;
    const { path, reason, begun = 0 } = job;
    const directives = cacheDirectivesOf(response);
    const uncached = (): Outcome => ({ kind: 'unkept', response: uncachedResponse(response, body, milliseconds) });
    if (!directives || 'refused' in directives) {
      if (directives) log('warn', `${path} is not stored: ${directives.refused}.`);
      const former = pages.get(path);
      if (former) {
        pages.drop([former]);
        await pages.sync();
        if (!former.isOutdated) onStalePageFound?.(path);
      }
      return uncached();
    }
    const { maxAge, tags } = directives;
    const rendered = { path, tags, maxAge, reason, headers: ownHeaders(response.headers) };
    if (invalidations.removedAfter(begun, rendered)) return { kind: 'void' };
    if (3 * body.length > maximumBytes) return uncached();
    const same = pages.get(path);
    if (same && pages.isSame(same, rendered, body)) {
      const wasDoubtful = same.isOutdated || !same.isVerified;
      this.#date(same, job, milliseconds);
      if (wasDoubtful) pages.confirm(same);
      return { kind: 'stored', page: same, changed: false };
    }
    const bodies = await compress(body);
    if (invalidations.removedAfter(begun, rendered)) return { kind: 'void' };
    const former = pages.get(path);
    const page = pages.put(rendered, bodies, (next) => this.#date(next, job, milliseconds));
    if (former && !former.isOutdated) onStalePageFound?.(path);
    return { kind: 'stored', page, changed: true };
  }

  #date(page: StoredPage, { begun = 0, following }: RenderJob<Outcome>, milliseconds: number): void {
    page.checkedAt = Math.trunc(this.#options.milliseconds() / 1000);
    page.renderedAtClock = begun;
    page.renderTime = milliseconds;
    page.isVerified = true;
    page.isOutdated = this.#options.invalidations.lastChange(begun, page) > 0;
    page.hasWaiters = page.isOutdated && following === undefined;
    page.updateFreshness(this.#options.maximumAge);
  }
}

export function failed(why: string): Extract<Outcome, { kind: 'failed' }> {
  return { kind: 'failed', why, response: unavailable(why) };
}

interface Rendered {
  readonly response: Response;
  readonly body: Buffer;
  readonly milliseconds: number;
}

/** Renders a page and measures the time. @throws Error after the time limit, or with the renderer's error as `cause` */
async function renderWithin(
  render: (path: string) => Promise<Response>,
  path: string,
  milliseconds: number,
): Promise<Rendered> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${path} was not rendered within ${milliseconds} ms.`)),
    milliseconds,
  );
  const work = async (): Promise<Rendered> => {
    // Waits for one turn of the event loop, so that a render that never waits for the backend finishes before the next
    // one begins.
    await nextTurn();
    const start = performance.now();
    try {
      const response = await render(path);
      const given = Buffer.from(await response.arrayBuffer());
      const body = response.headers.get('content-type')?.startsWith('text/html') ? printable(given) : given;
      return { response, body, milliseconds: performance.now() - start };
    } catch (error) {
      throw new Error(`${path} could not be rendered.`, { cause: error });
    }
  };
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns true if the site or its backend failed or is overloaded, so the response says nothing about the page. */
const isFault = ({ status }: Response): boolean => status >= 500 || status === 429;
