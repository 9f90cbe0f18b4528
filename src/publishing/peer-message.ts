/** What one instance tells another, and what waits to be told: each name once, in messages of a size that is soon done. */
import type { Revalidation } from './revalidate.ts';

export type PeerMessage = Pick<Revalidation, 'slugs' | 'gone' | 'tags' | 'paths' | 'all'>;

/** Names of a kind in one message: the other renders these posts before it answers. */
const BATCH = 500;

export class WaitingMessage {
  readonly #slugs = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #tags = new Set<string>();
  readonly #paths = new Set<string>();
  #all = false;

  get isEmpty(): boolean {
    return !this.#all && this.#slugs.size + this.#tags.size + this.#paths.size === 0;
  }

  /** A post that was gone and is there again is rendered, which finds out. */
  add({ slugs = [], gone = [], tags = [], paths = [], all }: PeerMessage): void {
    const taken = new Set(gone);
    for (const slug of slugs) {
      // Moved to the end: the latest change is told first.
      this.#slugs.delete(slug);
      this.#slugs.add(slug);
      if (taken.has(slug)) this.#gone.add(slug);
      else this.#gone.delete(slug);
    }
    for (const tag of tags) this.#tags.add(tag);
    for (const path of paths) this.#paths.add(path);
    this.#all ||= all === true;
  }

  /** Adds what could not be told; what was said of a post since counts more. */
  putBack({ slugs = [], gone = [], ...rest }: PeerMessage): void {
    const older = slugs.filter((slug) => !this.#slugs.has(slug));
    this.add({ ...rest, slugs: older, gone });
  }

  /** The next message; it no longer waits. */
  take(): PeerMessage {
    const slugs = last(this.#slugs);
    const gone = slugs.filter((slug) => this.#gone.delete(slug));
    const all = this.#all;
    this.#all = false;
    return { slugs, gone, tags: last(this.#tags), paths: last(this.#paths), ...(all && { all }) };
  }
}

function last(names: Set<string>): string[] {
  const taken = [...names].slice(-BATCH);
  for (const name of taken) names.delete(name);
  return taken;
}
