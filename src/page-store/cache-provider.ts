/**
 * Astro's cache provider, the way CDNs provide one: pages say `Astro.cache.set({ maxAge, tags })`, the provider writes
 * that into headers, and the page store, which stands before Astro, reads and removes them.
 */
import type { CacheProviderFactory } from 'astro';
import { cacheDirectiveHeaders } from './cache-directives.ts';
import { invalidateCurrentStore } from './current-store.ts';

const pageStoreProvider: CacheProviderFactory = () => ({
  name: 'page-store',
  setHeaders: ({ maxAge, tags }) =>
    cacheDirectiveHeaders({ ...(maxAge !== undefined && { maxAge }), ...(tags && { tags }) }),
  /** The pages' next readers get new ones. */
  async invalidate({ path, tags }) {
    invalidateCurrentStore({ paths: path === undefined ? [] : [path], tags: tags === undefined ? [] : [tags].flat() });
  },
});

export default pageStoreProvider;
