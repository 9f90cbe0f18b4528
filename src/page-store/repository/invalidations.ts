/** Numbers the changes. A render begun at number n includes changes up to n; later ones may outdate the page. */
import { SITE } from '#blog/routes/tags.ts';
import { namesAnyPost, type Selection } from './sqlite-page-index.ts';

interface PageNames {
  readonly path: string;
  readonly tags: readonly string[];
}

interface Change {
  readonly number: number;
  /** Returns true if the change outdates a page or, for a removal, removes something the page shows. */
  readonly concerns: (page: PageNames) => boolean;
}

export class Invalidations {
  #clock = 1;
  #changes: Change[] = [];
  #removals: Change[] = [];

  get clock(): number {
    return this.#clock;
  }

  record(selection: Selection): number {
    this.#clock++;
    this.#changes.push({ number: this.#clock, concerns: selects(selection) });
    return this.#clock;
  }

  recordRemoval(number: number, { tags = [], paths = [] }: Selection): void {
    const gone = new Set(tags);
    this.#removals.push({ number, concerns: (page) => paths.includes(page.path) || names(page.tags, gone) });
  }

  /** Returns the number of the last change after `clock` that outdates the page; otherwise 0. */
  lastChange(clock: number, page: PageNames): number {
    const last = this.#changes.findLast(({ number, concerns }) => number > clock && concerns(page));
    return last?.number ?? 0;
  }

  removedAfter(clock: number, page: PageNames): boolean {
    return this.#removals.some(({ number, concerns }) => number > clock && concerns(page));
  }

  /** Forgets the changes up to `clock`, because every running render already includes them. */
  forgetUpTo(clock: number): void {
    this.#changes = this.#changes.filter(({ number }) => number > clock);
    this.#removals = this.#removals.filter(({ number }) => number > clock);
  }
}

export function selects({ tags = [], paths = [] }: Selection): (page: PageNames) => boolean {
  if (tags.includes(SITE)) return () => true;
  const [wantedTags, wantedPaths] = [new Set(tags), new Set(paths)];
  return (page) => wantedPaths.has(page.path) || page.tags.some((tag) => wantedTags.has(tag));
}

/** Returns true if a page with these tags shows, or might show, something whose tag is in `gone`. */
export function names(pageTags: readonly string[], gone: ReadonlySet<string>): boolean {
  return pageTags.some((tag) => gone.has(tag)) || namesAnyPost(pageTags);
}
