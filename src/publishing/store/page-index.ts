/** Which pages there are, and which of them carry a tag. */
import { SITE } from '../tags.ts';
import type { Entry } from './entry.ts';
import { Tag } from './tag.ts';

/** Pages by tag or by address. The tag `site` means all of them. */
export interface Selection {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export class PageIndex {
  readonly #pages = new Map<string, Entry>();
  readonly #tags = new Map<string, Tag>();
  #bytes = 0;

  get size(): number {
    return this.#pages.size;
  }

  /** Bytes of all pages on disk. */
  get bytes(): number {
    return this.#bytes;
  }

  get(path: string): Entry | undefined {
    return this.#pages.get(path);
  }

  /** Pages in the order in which they were put. */
  values(): IterableIterator<Entry> {
    return this.#pages.values();
  }

  tag(name: string): Tag {
    let tag = this.#tags.get(name);
    if (!tag) {
      tag = new Tag(name);
      this.#tags.set(name, tag);
    }
    return tag;
  }

  /** Gives the entry that it replaces. */
  put(entry: Entry): Entry | undefined {
    const former = this.delete(entry.path);
    this.#pages.set(entry.path, entry);
    this.#bytes += entry.bytes;
    for (const tag of entry.tags) {
      // The tag may have lost its last page, and with it its place, since the entry was made.
      this.#tags.set(tag.name, tag);
      tag.add(entry);
    }
    return former;
  }

  delete(path: string): Entry | undefined {
    const entry = this.#pages.get(path);
    if (!entry) return undefined;
    this.#pages.delete(path);
    this.#bytes -= entry.bytes;
    for (const tag of entry.tags) {
      tag.delete(entry);
      if (tag.isEmpty) this.#tags.delete(tag.name);
    }
    return entry;
  }

  /** Makes it the last that `values` gives. */
  moveToEnd(entry: Entry): void {
    this.#pages.delete(entry.path);
    this.#pages.set(entry.path, entry);
  }

  select({ tags = [], paths = [] }: Selection): Set<Entry> {
    if (tags.includes(SITE)) return new Set(this.#pages.values());
    const selected = new Set<Entry>();
    for (const path of paths) {
      const entry = this.#pages.get(path);
      if (entry) selected.add(entry);
    }
    for (const tag of tags) for (const entry of this.#tags.get(tag)?.pages ?? []) selected.add(entry);
    return selected;
  }
}
