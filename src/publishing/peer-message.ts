/** Collects changes into messages from one instance to another. */
import type { Revalidation } from './revalidate.ts';

export type PeerMessage = Pick<Revalidation, 'slugs' | 'gone' | 'tags' | 'paths' | 'all'>;

/** Names of a kind per message. The other instance renders these posts before it answers. */
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

  /** A later change of a post replaces an earlier one. */
  add({ slugs = [], gone = [], tags = [], paths = [], all }: PeerMessage): void {
    const taken = new Set(gone);
    for (const slug of slugs) {
      // Moved to the end: the latest change is sent first.
      this.#slugs.delete(slug);
      this.#slugs.add(slug);
      if (taken.has(slug)) this.#gone.add(slug);
      else this.#gone.delete(slug);
    }
    for (const tag of tags) this.#tags.add(tag);
    for (const path of paths) this.#paths.add(path);
    this.#all ||= all === true;
  }

  /** Adds a message that was not delivered. Later changes of its posts win. */
  putBack({ slugs = [], gone = [], ...rest }: PeerMessage): void {
    const older = slugs.filter((slug) => !this.#slugs.has(slug));
    this.add({ ...rest, slugs: older, gone });
  }

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
