/** Selects a few posts of a bulk change to render now. The rest are rendered on request, so as not to delay readers. */
import { addressesOfSlug } from '#blog/routes/post-address.ts';
import type { PageStore } from '#page-store/page-store.ts';

const MAX_POSTS = 32;

interface Change {
  readonly slugs?: readonly string[];
  readonly gone?: readonly string[];
  readonly isInPlace?: boolean | undefined;
  readonly from: string;
}

export class BackgroundRenders {
  readonly #store: PageStore;
  readonly #onNewcomers: () => void;
  #count = 0;
  #newcomers = false;

  /** @param onNewcomers called if a bulk change left new posts unrendered, to outdate pages that may link to them */
  constructor(store: PageStore, onNewcomers: () => void) {
    this.#store = store;
    this.#onNewcomers = onNewcomers;
  }

  choose({ slugs = [], gone = [], isInPlace = false, from }: Change): readonly string[] {
    if (from === 'writer') return slugs;
    const room = MAX_POSTS - this.#count;
    const isStored = (slug: string) => addressesOfSlug(slug).some((path) => this.#store.holds(path));
    // For a change from a peer, also chooses posts with a stored page, because the peer waits until they are rendered.
    const isChosen = (slug: string, i: number) => i < room || (from === 'peer' && isStored(slug));
    const [chosen, left]: [string[], string[]] = [[], []];
    for (const [i, slug] of slugs.entries()) (isChosen(slug, i) ? chosen : left).push(slug);
    this.#newcomers ||= !isInPlace && left.some((slug) => !gone.includes(slug) && !isStored(slug));
    return chosen;
  }

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
