/**
 * Which posts are rendered because they changed although nobody waits for them. Of a bulk of writes these are the first
 * ones; the others are rendered when somebody asks, so that a bulk costs readers no more than its first moments.
 */
import { postPath } from '#blog/routes/paths.ts';
import type { PageStore } from '#page-store/page-store.ts';
import type { Revalidation } from './revalidate.ts';

/** Posts that are being rendered for nobody in particular. */
const MOST = 32;

export class BackgroundRenders {
  readonly #store: PageStore;
  readonly #onNewcomers: () => void;
  #count = 0;
  #newcomers = false;

  /**
   * `onNewcomers` is called after a bulk that left new posts unrendered: only its render says between which posts one
   * stands, so any page may have a new adjacent post.
   */
  constructor(store: PageStore, onNewcomers: () => void) {
    this.#store = store;
    this.#onNewcomers = onNewcomers;
  }

  /** Of the posts that a change names, the ones whose pages are rendered with it. */
  choose({ slugs = [], gone = [], isInPlace = false, from }: Revalidation): readonly string[] {
    if (from === 'writer') return slugs;
    const room = MOST - this.#count;
    // A peer does not know what is gone: each stored page is looked at.
    const isChosen = (slug: string, i: number) => i < room || (from === 'peer' && this.#store.holds(postPath(slug)));
    const [chosen, left]: [string[], string[]] = [[], []];
    for (const [i, slug] of slugs.entries()) (isChosen(slug, i) ? chosen : left).push(slug);
    this.#newcomers ||= !isInPlace && left.some((slug) => !gone.includes(slug) && !this.#store.holds(postPath(slug)));
    return chosen;
  }

  /** Counts `chosen` as under way until `work` ends. */
  async during<T>(chosen: readonly string[], work: Promise<T>): Promise<T> {
    this.#count += chosen.length;
    try {
      return await work;
    } finally {
      this.#count -= chosen.length;
      if (this.#count === 0 && this.#newcomers) {
        this.#newcomers = false;
        this.#onNewcomers();
      }
    }
  }
}
