/**
 * The stored pages: index, files and the bodies in memory, kept in step and within their bounds. A page is written whole
 * before readers have it, in one turn of the event loop: nobody meets a page between its versions.
 * It is one file, although a long one: the order of the steps across index, files and memory is what a crash relies on.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Bodies, checksum, compressNow } from '@common-ink/http/compression.ts';
import { ENCODINGS, type Encoding } from '@common-ink/http/encoding.ts';
import type { Log } from '@common-ink/http/log.ts';
import { LRUCache } from 'lru-cache';
import { SITE } from '#blog/routes/tags.ts';
import { type EdgePolicy, type Variant, variantOf } from '../variant.ts';
import { names } from './invalidations.ts';
import { fileOf, PageFiles, pathOf } from './page-files.ts';
import {
  isIndexFault,
  openPageIndex,
  type PageIndex,
  type PageIndexOptions,
  renewPageIndex,
  type Selection,
} from './sqlite-page-index.ts';
import { type HeaderSet, headerSetOf, type PageContent, StoredPage } from './stored-page.ts';

/** In the store's folder. */
export const INDEX_FILE = 'index.sqlite';

export interface PageRepositoryOptions extends Omit<PageIndexOptions, 'file'> {
  readonly directory: string;
  readonly maximumBytes: number;
  readonly memoryBytes: number;
  readonly edge: EdgePolicy;
  /** False while the disk is full, and what is left of it is for others. */
  readonly hasRoom: () => boolean;
  readonly log: Log;
}

/** A page as a render gave it. */
export interface RenderedPage {
  readonly path: string;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Its own headers: name, value, name, value. */
  readonly headers: readonly string[];
  readonly maxAge: number;
  readonly reason: string;
}

/** Pages that are dropped at a time, and milliseconds until the next: a bound that was lowered may leave a hundred thousand over it. */
const DROPPED_AT_ONCE = 50;
const DROP_PAUSE = 100;
/** About what a page takes in memory beside its bodies. */
const PAGE_COST = 1500;
/** Milliseconds without a write after which the index's log is moved into its file, and its 4 KiB pages from which on it is not waited for. */
const QUIET = 2000;
const LONGEST_LOG = 16_000;
/** Pages that left the memory until it is written when they were last read. */
const MOST_TOUCHED = 1000;

/** Forms that a rendered page is held in. The plain one, two thirds of a page, is read when somebody asks for it, as few do. */
const BROWSERS: readonly Encoding[] = ['gzip', 'br'];

export class PageRepository {
  readonly #options: PageRepositoryOptions;
  #index: PageIndex;
  readonly #files: PageFiles;
  /** Pages that were asked for lately, with their bodies. */
  readonly #memory: LRUCache<string, StoredPage>;
  /** Pages in memory that could not be written, or have an address that may not become a file. */
  readonly #memoryOnly = new Map<string, StoredPage>();
  /** When pages that left the memory were last read. */
  readonly #touched = new Map<string, Pick<StoredPage, 'path' | 'touchedAt'>>();
  readonly #loading = new Map<string, Promise<Variant | undefined>>();
  readonly #closing = new AbortController();
  /** Every change is in the index. */
  #isWhole = true;
  /** The last page could not be written. */
  #isStuck = false;
  #shrinking: NodeJS.Timeout | undefined;
  #checkpoint: NodeJS.Timeout | undefined;

  /** Opens what an earlier process stored. */
  constructor(options: PageRepositoryOptions) {
    this.#options = options;
    this.#files = new PageFiles(options.directory);
    this.#index = openPageIndex(this.#indexOptions, options.log, () => this.#files.discard());
    this.#memory = new LRUCache({
      maxSize: options.memoryBytes,
      // A page that is larger than all of the memory is held alone.
      sizeCalculation: (page) => Math.min(bodyBytes(page) + PAGE_COST, options.memoryBytes),
      dispose: (page, path, reason) => {
        if (reason !== 'evict') return;
        this.#memoryOnly.delete(path);
        for (const encoding of ENCODINGS) page[encoding] = undefined;
        this.touch(page);
      },
    });
    this.#makeRoom();
  }

  /** How many pages are stored. */
  get size(): number {
    return this.#index.size + this.#memoryOnly.size;
  }

  /** On disk. */
  get bytes(): number {
    return this.#index.bytes;
  }

  /** Of bodies in memory. */
  get memoryBytes(): number {
    let bytes = 0;
    for (const page of this.#memory.values()) bytes += bodyBytes(page);
    return bytes;
  }

  has(path: string): boolean {
    return this.#memory.has(path) || this.#use((index) => index.has(path));
  }

  get(path: string): StoredPage | undefined {
    const held = this.#memory.get(path);
    if (held) return held;
    const found = this.#use((index) => index.get(path));
    if (!found) return undefined;
    const page = found.next ? this.#recover(found.page, found.next) : found.page;
    if (page) this.#remember(page);
    return page;
  }

  /** The page for whoever needs no body: none leaves the memory for it. */
  find(path: string): StoredPage | undefined {
    const held = this.#memory.get(path);
    if (held) return held;
    const found = this.#use((index) => index.get(path));
    return found?.next ? this.get(path) : found?.page;
  }

  /** Notes that a page was read which is not in memory. */
  touch(page: Pick<StoredPage, 'path' | 'touchedAt'>): void {
    this.#touched.set(page.path, { path: page.path, touchedAt: page.touchedAt });
    if (this.#touched.size >= MOST_TOUCHED) this.#writeTouched(this.#touched.values());
  }

  /** The page, if it is in memory. */
  peek(path: string): StoredPage | undefined {
    return this.#memory.get(path);
  }

  /** Whether the stored bytes are these. */
  isBody(page: StoredPage, identity: Buffer): boolean {
    return page.lengths[0] === identity.length && page.sum('identity') === checksum(identity);
  }

  /** Whether everything but the bytes is the same. */
  isSame(page: StoredPage, rendered: RenderedPage): boolean {
    return (
      page.maxAge === rendered.maxAge &&
      isDeepStrictEqual(page.tags, rendered.tags) &&
      isDeepStrictEqual(page.headers.pairs, rendered.headers)
    );
  }

  /**
   * Puts a page in place of the one before, for readers and for a restart. `prepare` says how current it is. A page that
   * cannot be written lives in memory alone.
   */
  put(rendered: RenderedPage, bodies: Bodies, prepare: (page: StoredPage) => void): StoredPage {
    const { path, tags, maxAge, reason } = rendered;
    const former = this.get(path);
    const headers = this.#headersOf(rendered);
    const content = { path, tags, headers, ...sumsOf(bodies), storedAt: this.#options.now(), maxAge, reason };
    const page = this.#written(content, bodies, former, prepare);
    page.hits = former?.hits ?? 0;
    for (const encoding of page.isOnDisk ? BROWSERS : ENCODINGS) this.#hold(page, encoding, bodies[encoding]);
    this.#remember(page);
    this.#makeRoom();
    this.#scheduleCheckpoint();
    return page;
  }

  /** A render gave the same page again; it says how current it is. */
  confirm(page: StoredPage): void {
    this.#note((index) => index.confirm(page));
  }

  /** Takes pages away, from readers and from the folder. Their files go first: without them an index that could not be written shows nothing. */
  drop(pages: Iterable<StoredPage>): void {
    const dropped = [...pages];
    if (dropped.length === 0) return;
    for (const { path, headers } of dropped) {
      const file = fileOf(path, headers.isHtml);
      if (file) this.#files.remove(file);
      this.#memory.delete(path);
      this.#memoryOnly.delete(path);
    }
    this.#note((index) => index.delete(dropped.map(({ path }) => path)));
  }

  /** Ends when not even a power cut undoes what was dropped. */
  async sync(): Promise<void> {
    await this.#index
      .sync()
      .catch((error) => this.#options.log('warn', 'The index of stored pages was not synced.', error));
  }

  /** Marks pages as outdated; their readers wait for the new version, but for those of `renderedNow`. */
  outdate(selection: Selection, renderedNow: readonly string[]): void {
    const isAll = selection.tags?.includes(SITE);
    // A page that is rendered now must be in memory, which knows that nobody has to wait for it.
    for (const path of renderedNow) this.get(path);
    const outdated = this.#note((index) => index.outdate(selection));
    if (!outdated) this.#index.distrustAll();
    const paths = outdated && !isAll ? outdated : [...this.#memory.keys()];
    const marked = new Set([...paths, ...Array.from(this.#memoryOnlyIn(selection), ({ path }) => path)]);
    for (const path of marked) {
      const page = this.#memory.peek(path);
      if (!page) continue;
      page.isOutdated = true;
      page.freshUntil = 0;
      page.hasWaiters ||= !renderedNow.includes(path);
    }
  }

  paths(selection: Selection): string[] {
    const paths = this.#use((index) => index.paths(selection));
    return [...paths, ...Array.from(this.#memoryOnlyIn(selection), ({ path }) => path)];
  }

  countOutdated(selection: Selection): number {
    let count = this.#use((index) => index.countOutdated(selection));
    for (const page of this.#memoryOnlyIn(selection)) if (page.isOutdated) count++;
    return count;
  }

  /** The pages at `paths`, and those that show, or might show, something of `tags`. */
  showing({ tags = [], paths = [] }: Selection): StoredPage[] {
    const gone = new Set(tags);
    const known = this.#use((index) => index.pathsShowing({ tags, paths }));
    const shown = known.flatMap((path) => this.get(path) ?? []);
    for (const page of this.#memoryOnly.values())
      if (paths.includes(page.path) || names(page.tags, gone)) shown.push(page);
    return shown;
  }

  /** The headers of a form, to answer whoever holds its bytes already. */
  withoutBody(page: StoredPage, encoding: Encoding): Variant {
    return page[encoding] ?? variantOf(page, encoding, Buffer.alloc(0), this.#options.edge);
  }

  /** A form of a page, read from disk where need be; undefined when its file is missing or not what was stored. */
  load(page: StoredPage, encoding: Encoding): Promise<Variant | undefined> {
    const held = page[encoding];
    if (held) return Promise.resolve(held);
    const key = `${page.path} ${page.etag(encoding)}`;
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#read(page, encoding).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** Removes files that a crash left behind; slow and in no hurry. Gives how many. */
  sweep(before: number): Promise<number> {
    return this.#files.sweep((file) => this.has(pathOf(file)), before, this.#closing.signal);
  }

  /** `state`: what pages are made of now, when the process has received every change. */
  close(state?: string): void {
    this.#closing.abort();
    clearTimeout(this.#shrinking);
    clearTimeout(this.#checkpoint);
    this.#writeTouched([...this.#touched.values(), ...this.#memory.values()]);
    try {
      this.#index.close(this.#isWhole ? state : undefined);
    } catch (error) {
      this.#options.log('warn', 'The index of stored pages was closed without its last line.', error);
    }
  }

  get #indexOptions(): PageIndexOptions {
    return { ...this.#options, file: join(this.#options.directory, INDEX_FILE) };
  }

  /** Runs `work` on the index; begins a damaged one anew, without pages, and runs it on that. */
  #use<T>(work: (index: PageIndex) => T): T {
    try {
      return work(this.#index);
    } catch (error) {
      if (!isIndexFault(error)) throw error;
      this.#index.abandon();
      this.#index = renewPageIndex(this.#indexOptions, this.#options.log, () => this.#files.discard(), error);
      // Only the index knows which pages a change outdates.
      this.#memory.clear();
      this.#memoryOnly.clear();
      this.#touched.clear();
      return work(this.#index);
    }
  }

  /** Writes files and row; where that fails the page lives in memory alone. */
  #written(
    content: PageContent,
    bodies: Bodies,
    former: StoredPage | undefined,
    prepare: (page: StoredPage) => void,
  ): StoredPage {
    const page = new StoredPage(content, this.#options.now());
    prepare(page);
    const file = fileOf(page.path, page.headers.isHtml);
    page.isOnDisk = file !== undefined && this.#write(page, file, bodies, former);
    if (page.isOnDisk) this.#memoryOnly.delete(page.path);
    else this.#memoryOnly.set(page.path, page);
    return page;
  }

  /** False when there was no room: nothing of the page is in the folder then. */
  #write(page: StoredPage, file: string, bodies: Bodies, former: StoredPage | undefined): boolean {
    try {
      if (!this.#options.hasRoom()) throw new Error('The disk is full.');
      if (former?.isOnDisk) this.#use((index) => index.beginReplace(page));
      this.#files.write(file, bodies);
      this.#use((index) => index.put(page));
      this.#isStuck = false;
      return true;
    } catch (error) {
      // A full disk has a word in the log once, not one a page: the log may be on it.
      if (!this.#isStuck)
        this.#options.log('error', `The page ${page.path} could not be written and is kept in memory alone.`, error);
      this.#isStuck = true;
      this.#files.remove(file);
      this.#note((index) => index.delete([page.path]));
      return false;
    }
  }

  #headersOf({ headers }: RenderedPage): HeaderSet {
    try {
      return this.#use((index) => index.headerSet(headers));
    } catch {
      // The page will not be written either.
      return headerSetOf(0, headers);
    }
  }

  /**
   * After a crash between a page's files and its row: what lies there decides. Of which changes it has seen nothing is known.
   */
  #recover(page: StoredPage, next: PageContent): StoredPage | undefined {
    const file = fileOf(page.path, page.headers.isHtml);
    const identity = file && this.#files.readNow(file);
    const sum = identity && checksum(identity);
    const content = [next, page].find((each) => sum === each.sums.slice(0, sum?.length));
    if (!file || !identity || !content) return page;
    const bodies = compressNow(identity);
    return this.#written({ ...content, ...sumsOf(bodies) }, bodies, undefined, (found) => {
      found.isOutdated = true;
      found.hasWaiters = true;
    });
  }

  /** Does a write of the index; undefined when it failed. A full disk costs the memory of a restart, not the answer to a reader. */
  #note<T>(write: (index: PageIndex) => T): T | undefined {
    try {
      const result = this.#use(write);
      this.#scheduleCheckpoint();
      return result;
    } catch (error) {
      if (this.#isWhole)
        this.#options.log(
          'error',
          'The index of stored pages could not be written: a restart may forget pages.',
          error,
        );
      this.#isWhole = false;
      return undefined;
    }
  }

  *#memoryOnlyIn({ tags = [], paths = [] }: Selection): Generator<StoredPage> {
    for (const page of this.#memoryOnly.values())
      if (tags.includes(SITE) || paths.includes(page.path) || page.tags.some((tag) => tags.includes(tag))) yield page;
  }

  /** Takes the page into memory, or weighs it again. */
  #remember(page: StoredPage): void {
    this.#memory.delete(page.path);
    this.#memory.set(page.path, page);
  }

  #hold(page: StoredPage, encoding: Encoding, body: Buffer): Variant {
    const variant = variantOf(page, encoding, body, this.#options.edge);
    page[encoding] = variant;
    return variant;
  }

  async #read(page: StoredPage, encoding: Encoding): Promise<Variant | undefined> {
    const file = fileOf(page.path, page.headers.isHtml);
    const body = file && (await this.#files.read(file, encoding));
    if (!body || checksum(body) !== page.sum(encoding)) return undefined;
    const variant = this.#hold(page, encoding, body);
    if (this.#memory.peek(page.path) === page) this.#remember(page);
    return variant;
  }

  /** Drops pages until the folder is within its bounds, those longest without a reader first; many of them bit by bit. */
  #makeRoom(): void {
    if (this.bytes <= this.#options.maximumBytes) return;
    this.#writeTouched([...this.#touched.values(), ...this.#memory.values()]);
    const leaving: StoredPage[] = [];
    let bytes = this.bytes;
    for (const path of this.#use((index) => index.leastRecentlyRead(DROPPED_AT_ONCE))) {
      if (bytes <= this.#options.maximumBytes) break;
      const page = this.#memory.peek(path) ?? this.#use((index) => index.get(path))?.page;
      if (!page) continue;
      leaving.push(page);
      bytes -= page.bytes;
    }
    this.drop(leaving);
    clearTimeout(this.#shrinking);
    if (leaving.length === DROPPED_AT_ONCE) this.#shrinking = setTimeout(() => this.#makeRoom(), DROP_PAUSE).unref();
  }

  /** Writes when pages were last read. */
  #writeTouched(pages: Iterable<Pick<StoredPage, 'path' | 'touchedAt'>>): void {
    this.#note((index) => index.touch(pages));
    this.#touched.clear();
  }

  #scheduleCheckpoint(): void {
    if (this.#use((index) => index.pendingFrames) > LONGEST_LOG) this.#moveLog();
    else if (this.#checkpoint) this.#checkpoint.refresh();
    else this.#checkpoint = setTimeout(() => this.#moveLog(), QUIET).unref();
  }

  #moveLog(): void {
    clearTimeout(this.#checkpoint);
    this.#checkpoint = undefined;
    try {
      this.#use((index) => index.checkpoint());
    } catch (error) {
      this.#options.log('warn', 'The index of stored pages could not be tidied up; it is tried again later.', error);
    }
  }
}

const sumsOf = (bodies: Bodies): Pick<PageContent, 'sums' | 'lengths'> => ({
  sums: [bodies.identity, bodies.gzip, bodies.br].map(checksum).join(''),
  lengths: [bodies.identity.length, bodies.gzip.length, bodies.br.length],
});

const bodyBytes = (page: StoredPage): number =>
  ENCODINGS.reduce((sum, encoding) => sum + (page[encoding]?.body.length ?? 0), 0);
