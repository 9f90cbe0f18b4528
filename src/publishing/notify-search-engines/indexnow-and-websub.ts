/**
 * How search engines (IndexNow) and feed readers (WebSub) want to be told that posts changed. A driver only says which
 * calls to make; `purge/purger.ts` makes them, behind everybody's back and again when they fail.
 */
import { FEEDS } from '#blog/seo/feed.ts';
import type { PurgeDriver } from '../purge/cdn-drivers.ts';

export interface NotificationDriver extends PurgeDriver {
  /** Name of the file in which a process leaves what it has not announced. */
  readonly file: string;
}

/** Most addresses in one call (indexnow.org/documentation). */
const INDEXNOW_BATCH = 10_000;
const WORDS = { later: 'was not told of changes yet', given: 'was not told of changes' };

export interface IndexNowOptions {
  /** 8 to 128 letters, digits and hyphens; the site shows it at `/<key>.txt`. */
  readonly key: string;
  /** The site's public address without a slash at the end. */
  readonly siteUrl: string;
  /** The address of one search engine, which tells the others. */
  readonly endpoint: string;
}

/** Where the site shows its key, by which a search engine knows that the site itself is speaking. */
const keyPath = (key: string): string => `/${key}.txt`;

/** https://www.indexnow.org/documentation, "Submitting set of URLs". */
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

/** https://www.w3.org/TR/websub/: each feed names the hub; this is the ping by which hubs learn of new items, as they document it. */
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
