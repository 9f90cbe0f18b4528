/** Astro's cache provider: writes `maxAge` and `tags` into headers that the page store reads and removes. */
import type { CacheProviderFactory } from 'astro';
import { cacheDirectiveHeaders } from './cache-directives.ts';

const pageStoreProvider: CacheProviderFactory = () => ({
  name: 'page-store',
  setHeaders: ({ maxAge, tags }) =>
    cacheDirectiveHeaders({ ...(maxAge !== undefined && { maxAge }), ...(tags && { tags }) }),
  /** Always throws, because the provider has no access to the store. Endpoints use `locals.publishing` instead. */
  async invalidate() {
    throw new Error('Pages are invalidated by locals.publishing.revalidate, which knows the store.');
  },
});

export default pageStoreProvider;
