/** Limits the duration and number of connections, because Node's defaults suit only a server behind a proxy. */
import { Server as HttpServer, type IncomingMessage, type ServerOptions } from 'node:http';
import type { Server, Socket } from 'node:net';
import { networkOf, plainAddress, siteOf, trusting } from '../client-address.ts';
import { CountByKey } from './count-by-key.ts';

export const SERVER_OPTIONS = {
  /** Maximum size in bytes of the request line and headers: enough for a hundred queries. */
  maxHeaderSize: 64 * 1024,
  headersTimeout: 15_000,
  /** Bodies that arrive too slowly are cut off sooner (`slow-body-timeout.ts`). */
  requestTimeout: 600_000,
  connectionsCheckingInterval: 2_000,
  /** Exceeds the idle timeout of proxies, so that a proxy never sends a request on a connection that is closing. */
  keepAliveTimeout: 65_000,
  /** Ignores offers to upgrade to an unsupported protocol, as RFC 9110, 7.8 allows. */
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => !/\b(?:h2c|tls)\b/i.test(headers.upgrade ?? ''),
} satisfies ServerOptions;

const STALLED_MS = 120_000;
const MAX_CONNECTIONS = 10_000;
/** Maximum connections per IPv4 address or IPv6 /48, enough for a large office. Trusted proxies have no such limit. */
const MAX_OF_ADDRESS = 2_000;

export interface ConnectionLimits {
  /** Addresses exempt from the limit per address: a proxy's connections carry the requests of all its clients. */
  readonly trustedProxies?: readonly string[];
  readonly most?: number;
  readonly mostOfAddress?: number;
  /** Milliseconds of silence after which a connection is closed. */
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
