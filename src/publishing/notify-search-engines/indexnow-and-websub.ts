/** Builds notifications of changes for search engines (IndexNow) and feed readers (WebSub); `purger.ts` sends them. */
import { FEEDS } from '#blog/seo/feed.ts';
import type { PurgeDriver } from '../purge/cdn-drivers.ts';

export interface NotificationDriver extends PurgeDriver {
  readonly file: string;
}

/** Maximum number of URLs per request (indexnow.org/documentation). */
const INDEXNOW_BATCH = 10_000;
const WORDS = { later: 'was not told of changes yet', given: 'was not told of changes' };

export interface IndexNowOptions {
  /** 8 to 128 letters, digits and hyphens; the site serves it at `/<key>.txt`. */
  readonly key: string;
  readonly siteUrl: string;
  /** URL of one search engine, which passes notifications on to the others. */
  readonly endpoint: string;
}

/** Returns the path of the key file, which proves to a search engine that the site sent the request. */
const keyPath = (key: string): string => `/${key}.txt`;

/** Returns a driver that submits changed URLs (https://www.indexnow.org/documentation, "Submitting set of URLs"). */
export function indexNow({ key, siteUrl, endpoint }: IndexNowOptions): NotificationDriver {
  return {
    name: 'IndexNow',
    file: 'indexnow',
    words: WORDS,
    tagHeaders: [],
    by: 'urls',
    most: INDEXNOW_BATCH,
    calls: ({ urls, everything }) => [
      {
        method: 'POST',
        url: endpoint,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({
          host: new URL(siteUrl).host,
          key,
          keyLocation: siteUrl + keyPath(key),
          urlList: everything ? [`${siteUrl}/`] : urls,
        }),
      },
    ],
  };
}

/**
 * Returns a driver that pings the hub named in each feed (https://www.w3.org/TR/websub/). The standard leaves the form
 * of the ping to the hubs.
 */
export function webSub({ hub, siteUrl }: { readonly hub: string; readonly siteUrl: string }): NotificationDriver {
  return {
    name: 'The WebSub hub',
    file: 'websub',
    words: WORDS,
    tagHeaders: [],
    by: 'urls',
    most: INDEXNOW_BATCH,
    calls: () =>
      FEEDS.map(({ path }) => ({
        method: 'POST',
        url: hub,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': siteUrl + path }).toString(),
      })),
  };
}
