/**
 * Which pages there are, and which of them carry a tag. Pages that somebody asked for, or that were stored by this
 * process, are entries; the others are rows of `ColdPages` and become entries when they are needed.
 */
import { SITE } from '../tags.ts';
import type { Bodies } from './bodies.ts';
import { type ColdPage, ColdPages } from './cold-pages.ts';
import type { Entry, HeaderSet } from './entry.ts';
import { names } from './invalidations.ts';
import { entryOf } from './lines.ts';
import { Stamps } from './stamps.ts';
import { Tag } from './tag.ts';

/** Pages by tag or by address. The tag `site` means all of them. */
export interface Selection {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export class PageIndex {
  readonly cold = new ColdPages();
  /** Raised for a page whenever it is not what it was a moment ago. */
  readonly stamps = new Stamps();
  /** Header sets by the numbers that the lines of cold pages use. */
  headers: ReadonlyMap<number, HeaderSet> = new Map();
  readonly #pages = new Map<string, Entry>();
  readonly #tags = new Map<string, Tag>();
  readonly #now: () => number;
  readonly #maximumAge: number;
  #bytes = 0;

  /** `now` in seconds since 1970, `maximumAge` in seconds. */
  constructor(now: () => number, maximumAge: number) {
    this.#now = now;
    this.#maximumAge = maximumAge;
  }

  get size(): number {
    return this.#pages.size + this.cold.size;
  }

  /** Bytes of all pages on disk. */
  get bytes(): number {
    return this.#bytes + this.cold.bytes;
  }

  has(path: string): boolean {
    return this.#pages.has(path) || this.cold.has(path);
  }

  get(path: string): Entry | undefined {
    return this.#pages.get(path) ?? this.#warm(this.cold.take(path));
  }

  /** The page as an entry, if it is one already. */
  getWarm(path: string): Entry | undefined {
    return this.#pages.get(path);
  }

  /** The entries, in the order in which they were put. */
  warm(): IterableIterator<Entry> {
    return this.#pages.values();
  }

  /** The page that was stored first, of those that nobody has asked for. */
  oldestCold(): Entry | undefined {
    return this.#warm(this.cold.takeOldest());
  }

  tag(name: string): Tag {
    let tag = this.#tags.get(name);
    if (!tag) {
      tag = new Tag(name);
      this.#tags.set(name, tag);
    }
    return tag;
  }

  put(entry: Entry): void {
    this.delete(entry.path);
    this.#pages.set(entry.path, entry);
    this.#bytes += entry.bytes;
    for (const tag of entry.tags) {
      // The tag may have lost its last page, and with it its place, since the entry was made.
      this.#tags.set(tag.name, tag);
      tag.add(entry);
    }
    this.stamps.raise(entry.path);
  }

  /** All forms of a page that is held here are made. */
  complete(entry: Entry, bodies: Bodies): void {
    this.#bytes -= entry.bytes;
    entry.complete(bodies);
    this.#bytes += entry.bytes;
  }

  delete(path: string): void {
    const entry = this.#pages.get(path);
    if (!entry) {
      this.cold.delete(path);
      return;
    }
    this.#pages.delete(path);
    this.#bytes -= entry.bytes;
    for (const tag of entry.tags) {
      tag.delete(entry);
      if (tag.isEmpty) this.#tags.delete(tag.name);
    }
    this.stamps.raise(path);
  }

  /** Makes it the last that `warm` gives. */
  moveToEnd(entry: Entry): void {
    this.#pages.delete(entry.path);
    this.#pages.set(entry.path, entry);
  }

  /** Marks pages as outdated by a change; their readers wait for the new version, but for those of `renderedNow`. */
  outdate(selection: Selection, change: number, renderedNow: readonly string[]): void {
    for (const entry of this.#selected(selection)) {
      entry.outdatedBy = change;
      entry.freshUntil = 0;
      this.stamps.raise(entry.path);
      if (!renderedNow.includes(entry.path)) entry.awaited = true;
    }
    const now = new Set(renderedNow.map((path) => this.cold.row(path)));
    for (const row of this.#selectedRows(selection)) this.cold.outdate(row, change, !now.has(row));
  }

  /** How many pages of a selection have yet to be rendered again. */
  outdated(selection: Selection): number {
    let count = 0;
    for (const entry of this.#selected(selection)) if (entry.outdatedBy > 0) count++;
    for (const row of new Set(this.#selectedRows(selection))) if (this.cold.isOutdated(row)) count++;
    return count;
  }

  paths(selection: Selection): string[] {
    const paths = new Set(Array.from(this.#selected(selection), (entry) => entry.path));
    for (const row of this.#selectedRows(selection)) paths.add(this.cold.lineAt(row)?.p ?? '');
    paths.delete('');
    return [...paths];
  }

  /** The pages at `paths`, and those that show, or might show, something of `tags`. */
  showing(tags: readonly string[], paths: readonly string[], lists: string): Entry[] {
    const gone = new Set(tags);
    const rows = [...this.cold.rows(tags, paths)];
    for (const row of this.cold.rows([lists])) if (this.cold.isUnsaid(row)) rows.push(row);
    for (const row of rows) this.get(this.cold.lineAt(row)?.p ?? '');
    return [...this.#selected({ tags: [...tags, lists], paths })].filter(
      (entry) => paths.includes(entry.path) || names(entry.tagNames, gone),
    );
  }

  #selected({ tags = [], paths = [] }: Selection): Set<Entry> {
    if (tags.includes(SITE)) return new Set(this.#pages.values());
    const selected = new Set<Entry>();
    for (const path of paths) {
      const entry = this.#pages.get(path);
      if (entry) selected.add(entry);
    }
    for (const tag of tags) for (const entry of this.#tags.get(tag)?.pages ?? []) selected.add(entry);
    return selected;
  }

  #selectedRows({ tags = [], paths = [] }: Selection): Iterable<number> {
    return this.cold.rows(tags.includes(SITE) ? undefined : tags, paths);
  }

  #warm(page: ColdPage | undefined): Entry | undefined {
    const headers = page && this.headers.get(page.line.h);
    if (!headers) return undefined;
    const entry = entryOf(page, headers, (name) => this.tag(name), this.#now(), this.#maximumAge);
    this.put(entry);
    return entry;
  }
}
