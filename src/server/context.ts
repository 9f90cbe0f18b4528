/** What pages and endpoints find in `Astro.locals`, made once from the configuration. */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createCachedReader, createPublicReader } from '#backend/server.ts';
import { type TextTasks, textTasks as textTasksHere } from '#blog/content/text-tasks.ts';
import { setLanguage } from '#blog/messages.ts';
import { createFeedTexts } from '#blog/seo/feed-texts.ts';
import { createClientOf, networkOf } from '#http/client-address.ts';
import type { PublishingLocals } from '#publishing/endpoint-locals.ts';
import { openRedirects, REDIRECTS_FILE } from '#publishing/redirects.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { log } from './log.ts';

let context: App.Locals | undefined;

/** The running site's context. Without a call to `openContext` (in development) it has no publishing. */
export function siteContext(): App.Locals {
  context ??= openContext(readConfiguration());
  return context;
}

/** What there is in production alone. */
export interface Service {
  /** Stands before Astro. */
  readonly publishing: PublishingLocals;
  readonly islandScripts: App.Locals['islandScripts'];
  readonly textTasks: TextTasks;
}

/** Makes the context from the configuration. */
export function openContext(
  configuration: Configuration,
  { publishing, islandScripts = {}, textTasks = textTasksHere }: Partial<Service> = {},
): App.Locals {
  const { appwrite, site, siteFile } = configuration;
  setLanguage(site.language);
  const asking = createPublicReader({ ...appwrite, endpoint: appwrite.serverEndpoint });
  // Only publishing tells it of each write, and only the embedded backend tells publishing.
  const reader = publishing && !appwrite.endpoint ? createCachedReader(asking) : asking;
  context = {
    site,
    theme: siteFile.theme,
    islandScripts,
    reader,
    textTasks,
    feedTexts: createFeedTexts({ siteUrl: site.url, tasks: textTasks, read: (id) => reader.post(id) }),
    addressOf: addressOf(configuration.trustedProxies),
    redirects: openRedirects(join(configuration.dataDirectory, REDIRECTS_FILE), {
      siteUrl: site.url,
      isPublished: async (slug) => (await reader.post(slug)) !== undefined,
      warn: (sentence) => log('warn', sentence),
    }),
    ...(publishing && { publishing }),
  };
  return context;
}

/** The backend's reading of `X-Forwarded-For`, and of who counts as one, for requests as pages see them. */
function addressOf(proxies: readonly string[]): App.Locals['addressOf'] {
  const clientOf = createClientOf(proxies);
  return (request, remoteAddress) => {
    const headers = { 'x-forwarded-for': request.headers.get('x-forwarded-for') ?? undefined };
    return networkOf(clientOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage).address);
  };
}
