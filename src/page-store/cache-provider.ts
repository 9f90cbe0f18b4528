/**
 * Astro's cache provider, the way CDNs provide one: pages say `Astro.cache.set({ maxAge, tags })`, the provider writes
 * that into headers, and the page store, which stands before Astro, reads and removes them.
 */
import type { CacheProviderFactory } from 'astro';
import { cacheDirectiveHeaders } from './cache-directives.ts';

const pageStoreProvider: CacheProviderFactory = () => ({
  name: 'page-store',
  setHeaders: ({ maxAge, tags }) =>
    cacheDirectiveHeaders({ ...(maxAge !== undefined && { maxAge }), ...(tags && { tags }) }),
  /** Astro makes the provider by itself, so that it has no store; endpoints are given `publishing`. */
  async invalidate() {
    throw new Error('Pages are invalidated by locals.publishing.revalidate, which knows the store.');
  },
});

export default pageStoreProvider;
