import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createClientOf } from '@common-ink/http/client-address.ts';
import type { BackendStatistics, EventBus } from 'embedded-appwrite';
import type { Configuration } from '../configuration.ts';
import { fileAddress, redirectFiles } from '../file-addresses.ts';
import { createGateway } from '../gateway/gateway.ts';
import { log } from '../log/log.ts';
import type { Appearance } from '../site/appearance.ts';
import { startEmbedded } from './embedded.ts';

export interface Backend {
  handle(request: IncomingMessage, response: ServerResponse): unknown;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  disconnect(): void;
  /** Reports changes in the embedded backend; a remote Appwrite calls a webhook instead. */
  readonly events?: EventBus;
  readonly statistics?: () => BackendStatistics;
  readonly hasRoom?: () => boolean;
  /** Describes any damage to the embedded backend's database, and the remedy. */
  readonly damage?: () => string | undefined;
  readonly checked?: Promise<void>;
  close(): unknown;
}

/** Starts the backend. If browsers use a remote Appwrite directly, `/v1` only redirects requests for files. */
export function startBackend(configuration: Configuration, appearance?: () => Appearance): Backend {
  const { endpoint, access, projectId } = configuration.appwrite;
  if (endpoint && access === 'direct') return signpost(endpoint, projectId);
  const backend = endpoint ? startGateway(configuration, endpoint) : startEmbedded(configuration, appearance);
  return {
    ...backend,
    handle(request, response) {
      request.url = fileAddress(request.url ?? '', projectId);
      return backend.handle(request, response);
    },
  };
}

function signpost(endpoint: string, projectId: string): Backend {
  const nothing = () => {};
  return {
    handle: redirectFiles(endpoint, projectId),
    upgrade: (_, socket) => socket.destroy(),
    disconnect: nothing,
    close: nothing,
  };
}

function startGateway(configuration: Configuration, endpoint: string): Backend {
  const { appwrite, siteUrl, trustedProxies, clientAddressHeader } = configuration;
  return createGateway(
    {
      endpoint: new URL(endpoint),
      projectId: appwrite.projectId,
      siteOrigin: new URL(siteUrl).origin,
      clientOf: createClientOf(trustedProxies, clientAddressHeader),
    },
    (message, error) => log('warn', message, error),
  );
}
