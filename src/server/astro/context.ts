import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createClientOf, networkOf } from '@common-ink/http/client-address.ts';
import { Attempts } from '#api/attempts.ts';
import { createCachedReader } from '#backend/server/cached-reader.ts';
import { createPublicReader } from '#backend/server.ts';
import { type TextTasks, textTasks as textTasksHere } from '#blog/content/text-tasks.ts';
import { addressesOfSlug } from '#blog/routes/post-address.ts';
import { createFeedTexts } from '#blog/seo/feed-texts.ts';
import { openRedirects, REDIRECTS_FILE } from '#redirects/redirects-file.ts';
import { keyRefused } from '../backend/remote-check.ts';
import type { Configuration } from '../configuration.ts';
import { log } from '../log/log.ts';
import { timed } from '../metrics/histogram.ts';
import type { SiteMetrics } from '../metrics/site-metrics.ts';
import { appearanceOf } from '../site/appearance.ts';

export type SiteContext = Omit<App.Locals, 'publishing' | 'forStore'>;

export interface ContextOptions {
  /** True if the caller reports each write with `reader.postChanged` and `reader.forget`. */
  readonly isToldOfWrites: boolean;
  readonly islandScripts: SiteContext['islandScripts'];
  readonly textTasks: TextTasks;
  readonly observeCall: SiteMetrics['observeCall'] | undefined;
  /** Returns the embedded backend's port during shutdown, once the site's own port is closed; undefined until then. */
  readonly portNow: () => number | undefined;
  /** Returns true if the page store has this page, so that its old addresses redirect while the backend is down. */
  readonly isStored: (path: string) => boolean;
}

const SEARCHES = { limit: 30, seconds: 60 };

export function openContext(
  configuration: Configuration,
  {
    isToldOfWrites = false,
    islandScripts = {},
    textTasks = textTasksHere,
    observeCall,
    portNow,
    isStored = () => false,
  }: Partial<ContextOptions> = {},
): SiteContext {
  const { appwrite } = configuration;
  // Initial values; the server replaces them after reading the stored settings.
  const { site, theme } = appearanceOf(configuration, {});
  const publicReader = createPublicReader({
    ...appwrite,
    endpoint: appwrite.serverEndpoint,
    ...(!appwrite.endpoint && { portNow }),
    onKeyRefused: nowAndThen((message) => log('warn', keyRefused(appwrite.serverEndpoint, message))),
  });
  const asking = observeCall ? timed(publicReader, observeCall) : publicReader;
  // Does not cache with a remote Appwrite, which may not report each write.
  const reader = isToldOfWrites && !appwrite.endpoint ? createCachedReader(asking) : asking;
  return {
    site,
    theme,
    islandScripts,
    reader,
    textTasks,
    feedTexts: createFeedTexts({ siteUrl: site.url, tasks: textTasks, read: (id) => reader.post(id) }),
    searches: new Attempts(SEARCHES.limit, SEARCHES.seconds),
    addressOf: addressOf(configuration),
    redirects: openRedirects(join(configuration.dataDirectory, REDIRECTS_FILE), {
      siteUrl: site.url,
      isPublished: async (slug) => addressesOfSlug(slug).some(isStored) || (await reader.post(slug)) !== undefined,
      warn: (sentence) => log('warn', sentence),
    }),
  };
}

/** Minimum interval between two warnings; otherwise every page would repeat the warning. */
const WARN_AGAIN_MS = 600_000;

function nowAndThen(warn: (message: string) => void): (message: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    if (performance.now() - warnedAt < WARN_AGAIN_MS) return;
    warnedAt = performance.now();
    warn(message);
  };
}

/** Returns a function that finds a client's network for rate limits. It trusts the same proxies as the backend. */
function addressOf({ trustedProxies, clientAddressHeader }: Configuration): SiteContext['addressOf'] {
  const clientOf = createClientOf(trustedProxies, clientAddressHeader);
  return (request, remoteAddress) => {
    const headers = Object.fromEntries(request.headers);
    return networkOf(clientOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage).address);
  };
}
