import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { listen } from '@common-ink/http/listen.ts';
import {
  closedState,
  createEmbeddedBackend,
  type EmbeddedBackend,
  type EmbeddedOptions,
  type PreviewPlan,
  StoreError,
} from 'embedded-appwrite';
import { isSitePreview, SHARE_WIDTH } from '#blog/images.ts';
import type { Configuration } from '../configuration.ts';
import { log } from '../log/log.ts';
import type { Appearance } from '../site/appearance.ts';
import { storedAppearance } from '../site/site-settings.ts';
import { backendFolder, requireOwnDatabase } from './own-database.ts';

const MEBIBYTE = 1024 * 1024;

const hasEffects = ({ gravity, quality, borderWidth, borderRadius, opacity, rotation, background }: PreviewPlan) =>
  gravity !== 'center' ||
  quality >= 0 ||
  opacity < 1 ||
  background !== '' ||
  [borderWidth, borderRadius, rotation].some((each) => each !== 0);

const isOwnPreview = (preview: PreviewPlan): boolean => isSitePreview(preview) && !hasEffects(preview);

/** Returns an identifier for the content of a closed embedded backend; undefined if unknown. */
export const embeddedState = (dataDirectory: string): string | undefined => closedState(backendFolder(dataDirectory));

/** @param appearance returns the site's appearance; emails use its site name, sender name and language */
export function embeddedOptions(
  configuration: Configuration,
  appearance: () => Appearance = () => storedAppearance(configuration),
): EmbeddedOptions {
  const { appwrite, embedded, dataDirectory } = configuration;
  const { mail } = embedded;
  const sender = () => ({ address: mail?.from.address ?? '', name: appearance().effective.mailName ?? '' });
  return {
    directory: backendFolder(dataDirectory),
    projectId: appwrite.projectId,
    projectName: () => appearance().site.name,
    mailLocale: () => appearance().site.language,
    mail: mail && { ...mail, from: sender },
    keys: appwrite.apiKey ? [{ secret: appwrite.apiKey }] : [],
    ownOrigins: embedded.ownOrigins,
    webOrigins: embedded.webOrigins,
    trustedProxies: configuration.trustedProxies,
    clientAddressHeader: configuration.clientAddressHeader,
    rateLimits: embedded.rateLimits,
    storageQuota: embedded.quotaMegabytes * MEBIBYTE,
    ...(embedded.reserveMegabytes !== undefined && { diskReserve: embedded.reserveMegabytes * MEBIBYTE }),
    anonymous: embedded.anonymous,
    isOwnPreview,
    // Of the site's own previews, only the social-media picture may be enlarged, because pages state its size. Browsers
    // scale the others.
    mayEnlarge: (preview) => !isOwnPreview(preview) || preview.width === SHARE_WIDTH,
    log,
  };
}

/** @throws StoreError if the database cannot be used or was lost */
export function startEmbedded(configuration: Configuration, appearance?: () => Appearance): EmbeddedBackend {
  requireOwnDatabase(configuration.dataDirectory);
  return createEmbeddedBackend(embeddedOptions(configuration, appearance));
}

export interface BackendAccess {
  readonly endpoint: string;
  readonly apiKey: string;
}

/**
 * Runs `work` against a remote Appwrite if configured, else the running site's backend, else an embedded backend on a
 * loopback port, which is closed after `work`.
 * @throws Error for the operator if a remote Appwrite is configured without a key
 */
export async function withBackend<T>(
  configuration: Configuration,
  work: (access: BackendAccess) => Promise<T>,
): Promise<T> {
  const { appwrite } = configuration;
  if (!appwrite.apiKey) {
    throw new Error('APPWRITE_API_KEY is not set. Create a server key in the Appwrite console and set it here.');
  }
  if (appwrite.endpoint || (await answers(appwrite.serverEndpoint))) {
    return work({ endpoint: appwrite.serverEndpoint, apiKey: appwrite.apiKey });
  }
  return lend(startWithoutSite(configuration), appwrite.apiKey, work);
}

/** Runs `work` against an embedded backend in `directory` that sends no email. */
export function withBackendIn<T>(
  configuration: Configuration,
  directory: string,
  apiKey: string,
  work: (access: BackendAccess) => Promise<T>,
): Promise<T> {
  const keys = [{ secret: apiKey }];
  const options = { ...embeddedOptions(configuration), directory, keys, mail: undefined };
  return lend(createEmbeddedBackend(options), apiKey, work);
}

async function lend<T>(
  backend: EmbeddedBackend,
  apiKey: string,
  work: (access: BackendAccess) => Promise<T>,
): Promise<T> {
  const server = createServer(SERVER_OPTIONS, (request, response) => backend.handle(request, response));
  await listen(server, 0, '127.0.0.1');
  try {
    const { port } = server.address() as AddressInfo;
    return await work({ endpoint: `http://127.0.0.1:${port}/v1`, apiKey });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await backend.close();
  }
}

/** Starts the backend. Adds a hint to a StoreError, because the folder may be in use by a server on another port. */
function startWithoutSite(configuration: Configuration): EmbeddedBackend {
  try {
    return startEmbedded(configuration);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Error(`${error.message} If it is the site's server, set PORT to the port it listens on.`, {
      cause: error,
    });
  }
}

/** Returns true if Appwrite responds. A busy server gets 30 s; if none is running, the request fails at once. */
async function answers(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(`${endpoint}/health/version`, { signal: AbortSignal.timeout(30_000) });
    return response.ok && response.headers.get('server') === 'Appwrite';
  } catch {
    return false;
  }
}
