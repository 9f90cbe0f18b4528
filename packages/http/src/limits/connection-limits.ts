/** Limits the time and number of an HTTP server's connections. Node's defaults fit a server behind a proxy only. */
import { Server as HttpServer, type IncomingMessage, type ServerOptions } from 'node:http';
import type { Server, Socket } from 'node:net';
import { networkOf, plainAddress, siteOf, trusting } from '../client-address.ts';
import { CountByKey } from './count-by-key.ts';

export const SERVER_OPTIONS = {
  /** Bytes of request line and headers; a hundred queries fit. */
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  /** Slow bodies end sooner (`slow-body-timeout.ts`). */
  requestTimeout: 600_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than proxies keep an idle connection, so they send no request into a closing one. */
  keepAliveTimeout: 65_000,
  /** An offer of an unsupported protocol is ignored (RFC 9110, 7.8). */
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => !/\b(?:h2c|tls)\b/i.test(headers.upgrade ?? ''),
} satisfies ServerOptions;

const STALLED_MS = 120_000;
const MAX_CONNECTIONS = 10_000;
/** Per IPv4 address or IPv6 network of 48 bits, trusted proxies excepted: enough for a large office. */
const MAX_OF_ADDRESS = 2_000;

export interface ConnectionLimits {
  /** Exempt, since a proxy's connections are those of all its clients. */
  readonly trustedProxies?: readonly string[];
  readonly most?: number;
  readonly mostOfAddress?: number;
  /** Milliseconds. */
  readonly stalled?: number;
}

/** Closes connections over the limits without a response. Call it before the server listens. */
export function limitConnections(
  server: Server,
  {
    trustedProxies = [],
    most = MAX_CONNECTIONS,
    mostOfAddress = MAX_OF_ADDRESS,
    stalled = STALLED_MS,
  }: ConnectionLimits = {},
): void {
  const open = new CountByKey();
  const isProxy = trusting(trustedProxies);
  server.maxConnections = most;
  if (server instanceof HttpServer) server.setTimeout(stalled);
  server.prependListener('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isProxy(address)) return;
    const site = siteOf(networkOf(address));
    const count = open.add(site, 1);
    socket.once('close', () => open.add(site, -1));
    if (count > mostOfAddress) socket.destroy();
  });
}
