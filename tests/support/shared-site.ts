import { afterAll, onTestFinished } from 'vitest';
import { type EmbeddedSite, openEmbeddedSite } from './embedded-site.ts';

/** Opens a backend that is closed after all tests of the file have run. */
export async function sharedSite(...options: Parameters<typeof openEmbeddedSite>): Promise<EmbeddedSite> {
  const site = await openEmbeddedSite(...options);
  afterAll(() => site.close());
  return site;
}

/** Opens a backend that is closed when the current test ends. */
export async function siteOfTest(...options: Parameters<typeof openEmbeddedSite>): Promise<EmbeddedSite> {
  const site = await openEmbeddedSite(...options);
  onTestFinished(site.close);
  return site;
}
