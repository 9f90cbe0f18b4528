/** The site's settings, as the page carries them. */

import { siteOf } from '#backend/browser.ts';
import type { Site } from '#blog/site.ts';

let site: Site | undefined;

/** Only in the browser, after the page has arrived. */
export function currentSite(): Site {
  site ??= siteOf(document);
  return site;
}
