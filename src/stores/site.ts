import { siteOf } from '#backend/browser.ts';
import type { Site } from '#blog/site.ts';

let site: Site | undefined;

/** Returns the site's settings, read from the page once. Browser only. */
export function currentSite(): Site {
  site ??= siteOf(document);
  return site;
}
