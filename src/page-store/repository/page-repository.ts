/** Writes a page's files, then an index row with their checksums. A crash before the row only causes a new render. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { type Bodies, checksum } from '@common-ink/http/compression.ts';
import { ENCODINGS, type Encoding } from '@common-ink/http/encoding.ts';
import type { Log } from '@common-ink/http/log.ts';
import { LRUCache } from 'lru-cache';
import { type EdgePolicy, variantOf } from '../variant.ts';
import { names, selects } from './invalidations.ts';
import { fileOf, PageFiles, pathOf } from './page-files.ts';
import {
  isIndexFault,
  openPageIndex,
  type PageIndex,
  type PageIndexOptions,
  renewPageIndex,
  type Selection,
} from './sqlite-page-index.ts';
import { type PageContent, StoredPage, type Variant } from './stored-page.ts';

const INDEX_FILE = 'index.sqlite';

/**
 * Returns the paths stored in `directory`, even while another process uses it. Returns an empty list if there is no
 * store.
 */
export function readStoredPaths(directory: string): string[] {
  const file = join(directory, INDEX_FILE);
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT path FROM pages').all();
    return rows.map(({ path }) => `${path}`);
  } finally {
    database.close();
  }
}

export interface PageRepositoryOptions extends Omit<PageIndexOptions, 'file'> {
  readonly directory: string;
  readonly maximumBytes: number;
  readonly memoryBytes: number;
  readonly edge: EdgePolicy;
  readonly hasRoom: () => boolean;
  readonly log: Log;
}

export interface RenderedPage extends Omit<PageContent, 'sums' | 'lengths' | 'storedAt'> {
  /** Alternating header names and values. */
  readonly headers: readonly string[];
}

/** Maximum pages dropped at a time. If `maximumBytes` was lowered, dropping all excess pages would block readers. */
const DROPPED_AT_ONCE = 50;
/** A page's last read is recorded in the index at most once an hour, to save writes. */
const TOUCH_SECONDS = 3600;
/** Approximate memory of a page in bytes, not counting its bodies. */
const PAGE_COST = 1500;
/** Time without writes after which the index's WAL is checkpointed. */
const QUIET_MS = 2000;

/** Encodings kept in memory after a render. The uncompressed body is two thirds of a page's bytes and rarely needed. */
const BROWSERS: readonly Encoding[] = ['gzip', 'br'];

export class PageRepository {
  readonly #options: PageRepositoryOptions;
  #index: PageIndex;
  readonly #files: PageFiles;
  /** Caches the most recently read pages with their bodies, and the pages that could not be written. */
  readonly #memory: LRUCache<string, StoredPage>;
  readonly #loading = new Map<string, Promise<Variant | undefined>>();
  readonly #closing = new AbortController();
  /** False once a change could not be written to the index. */
  #isWhole = true;
  #isStuck = false;
  #checkpoint: NodeJS.Timeout | undefined;

  constructor(options: PageRepositoryOptions) {
    this.#options = options;
    this.#files = new PageFiles(options.directory);
    this.#index = openPageIndex(this.#indexOptions, options.log, () => this.#files.discard());
    this.#memory = new LRUCache({
      maxSize: options.memoryBytes,
      // A page larger than the limit counts as exactly the limit, so that it can be cached as the only page.
      sizeCalculation: (page) => Math.min(bodyBytes(page) + PAGE_COST, options.memoryBytes),
    });
    this.#makeRoom();
  }

  get size(): number {
    return this.#index.size;
  }

  get bytes(): number {
    return this.#index.bytes;
  }

  get memoryBytes(): number {
    let bytes = 0;
    for (const page of this.#memory.values()) bytes += bodyBytes(page);
    return bytes;
  }

  has(path: string): boolean {
    return this.#memory.has(path) || this.#use((index) => index.has(path));
  }

  get(path: string): StoredPage | undefined {
    const page = this.find(path);
    if (page && this.#memory.peek(path) !== page) this.#remember(page);
    return page;
  }

  /** Returns the page without adding it to memory. */
  find(path: string): StoredPage | undefined {
    return this.#memory.get(path) ?? this.#use((index) => index.get(path));
  }

  peek(path: string): StoredPage | undefined {
    return this.#memory.peek(path);
  }

  touch(page: StoredPage): void {
    const now = this.#options.now();
    if (now - page.touchedAt >= TOUCH_SECONDS) this.#note((index) => index.touch(page.path, now));
    page.touchedAt = now;
  }

  isSame({ content, headers }: StoredPage, rendered: RenderedPage, body: Buffer): boolean {
    const { lengths, sums, maxAge, tags } = content;
    return (
      lengths.identity === body.length &&
      sums.identity === checksum(body) &&
      isDeepStrictEqual([maxAge, tags, headers.pairs], [rendered.maxAge, rendered.tags, rendered.headers])
    );
  }

  /** Replaces a page in memory and on disk. `prepare` sets the page's freshness before it is written. */
  put({ headers, ...rendered }: RenderedPage, bodies: Bodies, prepare: (page: StoredPage) => void): StoredPage {
    const now = this.#options.now();
    const { identity, gzip, br } = bodies;
    const sums = { identity: checksum(identity), gzip: checksum(gzip), br: checksum(br) };
    const lengths = { identity: identity.length, gzip: gzip.length, br: br.length };
    const page = new StoredPage({ ...rendered, sums, lengths, storedAt: now }, this.#index.headerSet(headers), now);
    prepare(page);
    page.hits = this.peek(page.path)?.hits ?? 0;
    page.isOnDisk = this.#write(page, bodies);
    for (const encoding of page.isOnDisk ? BROWSERS : ENCODINGS) this.#hold(page, encoding, bodies[encoding]);
    this.#remember(page);
    this.#makeRoom();
    return page;
  }

  confirm(page: StoredPage): void {
    this.#note((index) => index.confirm(page));
  }

  /** Removes pages from memory and disk. Deletes the files first, because a row without files is never served. */
  drop(pages: Iterable<StoredPage>): void {
    const dropped = [...pages];
    if (dropped.length === 0) return;
    for (const { path, headers } of dropped) {
      const file = fileOf(path, headers.isHtml);
      if (file) this.#files.remove(file);
      this.#memory.delete(path);
    }
    this.#note((index) => index.delete(dropped.map(({ path }) => path)));
  }

  /** Syncs the index, so that a power cut cannot restore dropped pages. Logs an error instead of rejecting. */
  async sync(): Promise<void> {
    await this.#index
      .sync()
      .catch((error) => this.#options.log('warn', 'The index of stored pages could not be written to disk.', error));
  }

  outdate(selection: Selection, renderedNow: readonly string[]): void {
    // `hasWaiters` exists only in memory, so this loads the pages that the caller will render.
    for (const path of renderedNow) this.get(path);
    if (!this.#note((index) => index.outdate(selection))) this.#index.distrustAll();
    for (const page of this.#held(selects(selection))) {
      page.isOutdated = true;
      page.freshUntil = 0;
      page.hasWaiters ||= !renderedNow.includes(page.path);
    }
  }

  paths(selection: Selection): string[] {
    const paths = this.#use((index) => index.paths(selection));
    const isSelected = selects(selection);
    const unwritten = this.#held((page) => !page.isOnDisk && isSelected(page));
    return [...new Set([...paths, ...unwritten.map(({ path }) => path)])];
  }

  tags(prefix: string): string[] {
    const tags = this.#use((index) => index.tags(prefix));
    const unwritten = this.#held((page) => !page.isOnDisk).flatMap((page) => page.tags);
    return [...new Set([...tags, ...unwritten.filter((tag) => tag.startsWith(prefix))])];
  }

  countOutdated(selection: Selection): number {
    return this.#use((index) => index.countOutdated(selection));
  }

  showing({ tags = [], paths = [] }: Selection): StoredPage[] {
    const gone = new Set(tags);
    const known = this.#use((index) => index.pathsShowing({ tags, paths }));
    const unwritten = this.#held((page) => !page.isOnDisk && (paths.includes(page.path) || names(page.tags, gone)));
    return [...new Set([...known.flatMap((path) => this.get(path) ?? []), ...unwritten])];
  }

  withoutBody(page: StoredPage, encoding: Encoding): Variant {
    return page[encoding] ?? variantOf(page, encoding, Buffer.alloc(0), this.#options.edge);
  }

  /** Returns a variant from memory or disk; undefined if its file is missing or damaged. */
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

  /** Removes files that belong to no page and are older than `before` (Unix ms). Returns their number. */
  sweep(before: number): Promise<number> {
    return this.#files.sweep((file) => this.has(pathOf(file)), before, this.#closing.signal);
  }

  /** Closes the index. Pass `state`, which identifies the pages' data, only if this process received every change. */
  close(state?: string): void {
    this.#closing.abort();
    clearTimeout(this.#checkpoint);
    try {
      this.#index.close(this.#isWhole ? state : undefined);
    } catch (error) {
      this.#options.log('warn', 'The last entry in the index of stored pages was not written.', error);
    }
  }

  get #indexOptions(): PageIndexOptions {
    return { ...this.#options, file: join(this.#options.directory, INDEX_FILE) };
  }

  /** Runs `work` on the index. Replaces a damaged index with an empty one, and runs `work` again. */
  #use<T>(work: (index: PageIndex) => T): T {
    try {
      return work(this.#index);
    } catch (error) {
      if (!isIndexFault(error)) throw error;
      this.#index.abandon();
      this.#index = renewPageIndex(this.#indexOptions, this.#options.log, () => this.#files.discard(), error);
      // The new index lists no pages, so a removal would not find the pages in memory.
      this.#memory.clear();
      return work(this.#index);
    }
  }

  /** Writes the page's files, then its row. Returns false if that fails; the page is then kept only in memory. */
  #write(page: StoredPage, bodies: Bodies): boolean {
    const file = fileOf(page.path, page.headers.isHtml);
    if (!file) return false;
    try {
      if (!this.#options.hasRoom()) throw new Error('The disk is full.');
      this.#files.write(file, bodies);
      this.#use((index) => index.put(page));
      this.#scheduleCheckpoint();
      this.#isStuck = false;
      return true;
    } catch (error) {
      // Logged once, not per page, because the log may be on the same full disk.
      if (!this.#isStuck)
        this.#options.log(
          'error',
          `The page ${page.path} could not be written to disk and is only kept in memory.`,
          error,
        );
      this.#isStuck = true;
      this.#files.remove(file);
      this.#note((index) => index.delete([page.path]));
      return false;
    }
  }

  /** Writes to the index. Returns false on failure: readers are still served, but the next start may lack pages. */
  #note(write: (index: PageIndex) => void): boolean {
    try {
      this.#use(write);
      this.#scheduleCheckpoint();
      return true;
    } catch (error) {
      if (this.#isWhole)
        this.#options.log(
          'error',
          'The index of stored pages could not be written: a restart may forget pages.',
          error,
        );
      this.#isWhole = false;
      return false;
    }
  }

  #held(isWanted: (page: StoredPage) => boolean): StoredPage[] {
    return [...this.#memory.values()].filter(isWanted);
  }

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
    if (!body || checksum(body) !== page.content.sums[encoding]) return undefined;
    this.touch(page);
    const variant = this.#hold(page, encoding, body);
    if (this.#memory.peek(page.path) === page) this.#remember(page);
    return variant;
  }

  #makeRoom(): void {
    for (let dropped = 0; dropped < DROPPED_AT_ONCE && this.bytes > this.#options.maximumBytes; ) {
      const oldest = this.#use((index) => index.leastRecentlyRead());
      if (!oldest) return;
      const { path } = oldest;
      const page = this.#memory.peek(path) ?? this.#use((index) => index.get(path));
      if (page && page.touchedAt > oldest.touchedAt) {
        if (!this.#note((index) => index.touch(path, page.touchedAt))) return;
        continue;
      }
      if (page) this.drop([page]);
      else this.#note((index) => index.delete([path]));
      dropped++;
    }
  }

  #scheduleCheckpoint(): void {
    if (this.#checkpoint) this.#checkpoint.refresh();
    else this.#checkpoint = setTimeout(() => this.#moveLog(), QUIET_MS).unref();
  }

  #moveLog(): void {
    try {
      this.#use((index) => index.checkpoint());
    } catch (error) {
      this.#options.log(
        'warn',
        'The index of stored pages could not be cleaned up; the server will try again later.',
        error,
      );
    }
  }
}

const bodyBytes = (page: StoredPage): number =>
  ENCODINGS.reduce((sum, encoding) => sum + (page[encoding]?.body.length ?? 0), 0);
