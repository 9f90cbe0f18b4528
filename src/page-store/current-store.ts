/** The page store of this process, for the cache provider, which Astro makes by itself. */
import type { PageStore, Selection } from './page-store.ts';

let current: PageStore | undefined;

/** Called by the server once it has made the store. */
export function register(store: PageStore | undefined): void {
  current = store;
}

/** Without a store (in development) there is nothing to invalidate. */
export function invalidateCurrentStore(selection: Selection): void {
  current?.invalidate(selection);
}
