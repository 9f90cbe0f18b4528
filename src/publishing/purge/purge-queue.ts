/** What waits to be purged: each name once, and of more than the driver takes in reason, everything. */
import { SITE } from '#blog/routes/tags.ts';
import type { PurgeDriver } from './cdn-drivers.ts';

/** Pages that changed, by their tags and by their paths. */
export interface Changed {
  readonly tags: readonly string[];
  readonly paths: readonly string[];
}

/** What has not been purged yet. */
export interface PendingPurge extends Changed {
  readonly everything: boolean;
}

export const EVERYTHING: PendingPurge = { tags: [], paths: [], everything: true };

export class PurgeQueue {
  readonly #driver: Pick<PurgeDriver, 'by' | 'most'>;
  readonly #tags = new Set<string>();
  readonly #paths = new Set<string>();
  #everything = false;

  constructor(driver: Pick<PurgeDriver, 'by' | 'most'>) {
    this.#driver = driver;
  }

  get isEmpty(): boolean {
    return !this.#everything && this.#tags.size + this.#paths.size === 0;
  }

  add({ tags, paths, everything = false }: Changed & Partial<PendingPurge>): void {
    const { by, most } = this.#driver;
    this.#everything ||= everything || tags.includes(SITE);
    for (const tag of tags) this.#tags.add(tag);
    // A driver that purges by tag has no use for the paths, and they would count.
    if (by === 'urls') for (const path of paths) this.#paths.add(path);
    this.#everything ||= this.#tags.size + this.#paths.size > most;
    if (this.#everything) this.#clear();
  }

  /** All of it; nothing waits afterwards. */
  take(): PendingPurge {
    const taken = { tags: [...this.#tags], paths: [...this.#paths], everything: this.#everything };
    this.#clear();
    this.#everything = false;
    return taken;
  }

  #clear(): void {
    this.#tags.clear();
    this.#paths.clear();
  }
}
