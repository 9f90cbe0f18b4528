/**
 * The order of things: every change that the store receives gets the next number of one clock. A render that began at
 * number n has seen every change up to n; what came while it ran decides what its result is worth.
 */
import { SITE } from '#blog/routes/tags.ts';
import { namesAnyPost, type Selection } from './sqlite-page-index.ts';

interface Recorded {
  readonly number: number;
  readonly tags: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Pages that show what is gone may not be shown at all. */
  readonly removes: boolean;
}

export interface PageNames {
  readonly path: string;
  readonly tags: readonly string[];
}

export class Invalidations {
  #clock = 1;
  #recent: Recorded[] = [];

  /** The number of the last change. */
  get clock(): number {
    return this.#clock;
  }

  /** Gives the change its number. */
  record({ tags = [], paths = [] }: Selection): number {
    this.#clock++;
    this.#recent.push({ number: this.#clock, tags: new Set(tags), paths: new Set(paths), removes: false });
    return this.#clock;
  }

  /** Says of change `number` that it took something away. */
  recordRemoval(number: number, { tags = [], paths = [] }: Selection): void {
    this.#recent.push({ number, tags: new Set(tags), paths: new Set(paths), removes: true });
  }

  /** The number of the last change after `clock` that outdates the page, of those that are remembered; 0 for none. */
  lastChange(clock: number, page: PageNames): number {
    let last = 0;
    for (const { number, tags, paths, removes } of this.#recent) {
      if (removes || number <= clock || number < last) continue;
      if (tags.has(SITE) || paths.has(page.path) || page.tags.some((tag) => tags.has(tag))) last = number;
    }
    return last;
  }

  /** True when something the page shows was taken away after `clock`. */
  removedAfter(clock: number, page: PageNames): boolean {
    return this.#recent.some(
      ({ number, tags, paths, removes }) =>
        removes && number > clock && (paths.has(page.path) || names(page.tags, tags)),
    );
  }

  /** Forgets the changes that no running render can have missed. */
  forgetUpTo(number: number): void {
    if (this.#recent.length > 0) this.#recent = this.#recent.filter((recorded) => recorded.number > number);
  }
}

/** True when a page with these tags shows something of `gone`, or might. */
export function names(pageTags: readonly string[], gone: ReadonlySet<string>): boolean {
  return pageTags.some((tag) => gone.has(tag)) || namesAnyPost(pageTags);
}
