/** What pages and endpoints find in `Astro.locals`, made once from the configuration. */
import { createPublicReader } from '#backend/server.ts';
import type { PublishingLocals } from '#publishing/locals.ts';
import { type Configuration, readConfiguration } from './configuration.ts';

let context: App.Locals | undefined;

/** The running site's context. Without a call to `openContext` (in development) it has no publishing. */
export function siteContext(): App.Locals {
  context ??= openContext(readConfiguration());
  return context;
}

/** Makes the context from the configuration and, in production, the publishing part that stands before Astro. */
export function openContext(configuration: Configuration, publishing?: PublishingLocals): App.Locals {
  const { appwrite, site } = configuration;
  context = {
    site,
    reader: createPublicReader({ ...appwrite, endpoint: appwrite.serverEndpoint }),
    ...(publishing && { publishing }),
  };
  return context;
}
