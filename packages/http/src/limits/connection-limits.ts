/**
 * Limits of an HTTP server's connections: how long a client may take, and how many connections there are.
 * Node's own limits fit a server behind a proxy; this one may stand in the open.
 */
import { Server as HttpServer, type IncomingMessage, type ServerOptions } from 'node:http';
import type { Server, Socket } from 'node:net';
import { networkOf, plainAddress, siteOf, trusting } from '../client-address.ts';
import { CountByKey } from './count-by-key.ts';

/** For `createServer`. */
export const SERVER_OPTIONS = {
  /** Bytes of request line and headers. A hundred queries fit; beyond is 431. */
  maxHeaderSize: 64 * 1024,
  /** Milliseconds for the headers; 408 after that. */
  headersTimeout: 15_000,
  /** Milliseconds for the whole request. Slow bodies end sooner (`slow-body-timeout.ts`). */
  requestTimeout: 600_000,
  /** How often the two are looked after. */
  connectionsCheckingInterval: 2_000,
  /** Longer than proxies keep an idle connection, lest they send a request into one that is just being closed. */
  keepAliveTimeout: 65_000,
  /** Some clients offer a newer protocol with whatever they ask; who does not speak it answers as usual (RFC 9110, 7.8). */
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => !/\b(?:h2c|tls)\b/i.test(headers.upgrade ?? ''),
} satisfies ServerOptions;

/** A connection on which nothing moves is ended, milliseconds: whoever does not read what he asked for. */
const STALLED = 120_000;
/** Connections at once. */
const MOST = 10_000;
/**
 * Connections at once from one address that is no trusted proxy, or from the IPv6 addresses of one site of 48 bits: a large
 * office, not one machine that opens them all.
 */
const MOST_OF_ADDRESS = 2_000;

export interface ConnectionLimits {
  /** As in `EmbeddedOptions`: a proxy's connections are those of all its clients. */
  readonly trustedProxies?: readonly string[];
  readonly most?: number;
  readonly mostOfAddress?: number;
  /** Milliseconds. */
  readonly stalled?: number;
}

/** Ends what exceeds the limits, without an answer. Call it before the server listens. */
export function limitConnections(
  server: Server,
  { trustedProxies = [], most = MOST, mostOfAddress = MOST_OF_ADDRESS, stalled = STALLED }: ConnectionLimits = {},
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
