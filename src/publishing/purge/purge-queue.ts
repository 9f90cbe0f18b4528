/** Collects tags and paths to purge, without duplicates. Above the driver's limit, everything is purged. */
import { SITE } from '#blog/routes/tags.ts';
import type { PurgeDriver } from './cdn-drivers.ts';

export interface Changed {
  readonly tags: readonly string[];
  readonly paths: readonly string[];
}

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
    // A driver that purges by tag ignores paths, so they must not count towards its limit.
    if (by === 'urls') for (const path of paths) this.#paths.add(path);
    this.#everything ||= this.#tags.size + this.#paths.size > most;
    if (this.#everything) this.#clear();
  }

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
