import { afterAll } from 'vitest';
import { type EmbeddedSite, openEmbeddedSite } from './embedded-site.ts';

/** Opens a backend that is closed after all tests of the file have run. */
export async function sharedSite(...options: Parameters<typeof openEmbeddedSite>): Promise<EmbeddedSite> {
  const site = await openEmbeddedSite(...options);
  afterAll(() => site.close());
  return site;
}
