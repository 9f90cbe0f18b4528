/** What answers under the site's `/v1`: the embedded backend, the gateway to a real Appwrite, or nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EventBus } from '#embedded/events.ts';
import { createClientOf } from '#embedded/http/client.ts';
import type { Configuration } from './configuration.ts';
import { startEmbedded } from './embedded.ts';
import { createGateway } from './gateway/gateway.ts';
import { log } from './log.ts';

export interface Backend {
  handle(request: IncomingMessage, response: ServerResponse): unknown;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the WebSockets that are open. */
  disconnect(): void;
  /** The embedded backend's changes; a real Appwrite tells by webhook. */
  readonly events?: EventBus;
  close(): unknown;
}

/** Starts it. Undefined where browsers go to a real Appwrite themselves. */
export function startBackend(configuration: Configuration): Backend | undefined {
  const { endpoint, access, projectId } = configuration.appwrite;
  if (!endpoint) return startEmbedded(configuration);
  if (access === 'direct') return undefined;
  return createGateway(
    {
      endpoint: new URL(endpoint),
      projectId,
      siteOrigin: new URL(configuration.siteUrl).origin,
      clientOf: createClientOf(configuration.trustedProxies),
    },
    (message, error) => log('warn', message, error),
  );
}
