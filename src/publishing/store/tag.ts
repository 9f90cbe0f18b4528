/** A tag and the pages that carry it. Most tags are on a few pages, and there are as many tags as posts, so few are kept small. */
import type { Entry } from './entry.ts';

/** Above it a set is worth its size. */
const FEW = 8;

export class Tag {
  readonly name: string;
  #pages: readonly Entry[] | Set<Entry> = NONE;

  constructor(name: string) {
    this.name = name;
  }

  get pages(): Iterable<Entry> {
    return this.#pages;
  }

  get isEmpty(): boolean {
    return 'size' in this.#pages ? this.#pages.size === 0 : this.#pages.length === 0;
  }

  add(entry: Entry): void {
    const pages = this.#pages;
    if ('size' in pages) pages.add(entry);
    // A copy by `concat` has room for just what is in it; a pushed or spread array keeps room for sixteen more.
    else if (pages.length < FEW) this.#pages = pages.concat(entry);
    else this.#pages = new Set([...pages, entry]);
  }

  delete(entry: Entry): void {
    const pages = this.#pages;
    if ('size' in pages) pages.delete(entry);
    else this.#pages = pages.filter((page) => page !== entry);
  }
}

const NONE: readonly Entry[] = [];
