/** The realtime service (contract 2.6): accepts WebSockets and sends events to them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ClientOf, networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { CountByKey } from '@common-ink/http/limits/count-by-key.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Accounts } from '../account/accounts.ts';
import { header } from '../http/access/credentials.ts';
import { projectOf } from '../http/access/project-check.ts';
import type { RateLimiter } from '../http/access/rate-limits.ts';
import { AppwriteError } from '../http/errors.ts';
import { parseQuery, type Query } from '../http/query-string.ts';
import { refuseUpgrade } from '../http/upgrade.ts';
import type { Kernel } from '../kernel.ts';
import { Connection, errorFrame } from './connection.ts';
import { createDelivery } from './delivery.ts';
import { type Identity, identityOfJwt, identityOfRequest, identityOfSession, NOBODY } from './identity.ts';
import { Outbox } from './outbox.ts';
import { Subscriptions } from './subscriptions.ts';
import { urlSubscriptions } from './url-subscriptions.ts';

const REALTIME = /^\/v1\/realtime\/?(?:\?|$)/;

/** Maximum new connections per minute from one network (contract 1.8). */
const CONNECTS = [{ limit: 128, window: 60 }];
/** Maximum open sockets; each takes a few kilobytes. */
const MOST_CONNECTIONS = 10_000;
/** Maximum open sockets per network, enough for a large office. Applies only if rate limits are on. */
const MOST_OF_NETWORK = 500;
/** Maximum open sockets per IPv6 site (/48), for all of its networks together. */
const MOST_OF_SITE = 2000;
/** Maximum size of a client frame in bytes: enough for a hundred subscriptions with their queries. */
const LARGEST_FRAME = 512 * 1024;
/** Milliseconds between checks for dead connections. */
const HEARTBEAT = 30_000;

const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;
/** Time limit in milliseconds for clients to answer the close frame at shutdown. */
const GRACE = 1000;

export interface RealtimeParts {
  readonly kernel: Kernel;
  readonly accounts: Pick<Accounts, 'signIns' | 'users' | 'sessions' | 'rolesOf'>;
  readonly limiter: RateLimiter;
  readonly clientOf: ClientOf;
}

export interface Realtime {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections (1001); clients reconnect when the server is back. */
  close(): void;
}

export function createRealtime({ kernel, accounts, limiter, clientOf }: RealtimeParts): Realtime {
  const { options, events, origins } = kernel;
  const limited = options.rateLimits ?? true;
  const subscriptions = new Subscriptions();
  /** Connections without a project, or for `console`, register here and receive no events. */
  const noSubscriptions = new Subscriptions();
  const outbox = new Outbox();
  const connections = new Map<WebSocket, Connection>();
  const openOfNetwork = new CountByKey();
  const alive = new WeakSet<WebSocket>();
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: LARGEST_FRAME });
  const report = (error: unknown) => options.log?.('error', 'Realtime: an event or a message failed.', error);
  const signIn = (secret: string) => identityOfSession(accounts, secret);

  function countConnection(network: string): void {
    const input = { ip: network, method: 'GET', userId: '', param: () => '', header: () => '' };
    const isFull = openOfNetwork.get(network) >= MOST_OF_NETWORK || openOfNetwork.get(siteOf(network)) >= MOST_OF_SITE;
    const isCrowded = connections.size >= MOST_CONNECTIONS || (limited && isFull);
    if (isCrowded || limiter.take('realtime', CONNECTS, input, true).state?.exceeded) {
      throw new AppwriteError('realtime_too_many_messages', 'Too many requests.');
    }
  }

  /** Returns the client's identity; undefined (no events) without a project or for `console`. Throws if refused. */
  function admit(request: IncomingMessage, query: Query, network: string): Identity | undefined {
    // Unlike in HTTP requests, the header wins over the query string.
    const project = header(request, 'x-appwrite-project') || projectOf(request, query);
    const silent = project === '' || project === 'console';
    if (!silent && project !== options.projectId) {
      throw new AppwriteError('realtime_policy_violation', 'Missing or unknown project ID');
    }
    countConnection(network);
    const { origin } = request.headers;
    if (origin) origins.enforce(origin);
    if (silent) return undefined;
    const { jwt } = query;
    return typeof jwt === 'string' && jwt !== ''
      ? (identityOfJwt(accounts, jwt) ?? NOBODY)
      : identityOfRequest(accounts, request, options.projectId);
  }

  /** @param address the query string of the URL, without the `?` */
  function open(socket: WebSocket, stream: Duplex, request: IncomingMessage, address: string): void {
    const network = networkOf(clientOf(request).address);
    const identity = admit(request, parseQuery(address), network);
    const registry = identity ? subscriptions : noSubscriptions;
    const connection = new Connection({
      socket,
      stream,
      outbox,
      identity: identity ?? NOBODY,
      subscriptions: registry,
      limited,
      signIn: identity ? signIn : () => undefined,
      onError: report,
    });
    connections.set(socket, connection);
    const places = new Set([network, siteOf(network)]);
    for (const place of places) openOfNetwork.add(place, 1);
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', (data, isBinary) => connection.receive(data as Buffer, isBinary));
    socket.on('close', () => {
      connections.delete(socket);
      registry.remove(connection);
      for (const place of places) openOfNetwork.add(place, -1);
    });
    const subscribed = connection.subscribe(urlSubscriptions(address));
    const data = {
      channels: [...new Set(subscribed.flatMap(({ channels }) => channels))],
      subscriptions: subscribed.map(({ subscriptionId }) => subscriptionId),
      user: connection.account(),
    };
    connection.send(JSON.stringify({ type: 'connected', data }));
  }

  function accept(socket: WebSocket, stream: Duplex, request: IncomingMessage): void {
    // Prevents an uncaught exception; `ws` itself closes a connection that violates the protocol.
    socket.on('error', () => {});
    try {
      const [, address = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
      open(socket, stream, request, address);
    } catch (error) {
      const isKnown = error instanceof AppwriteError;
      if (!isKnown) report(error);
      const { type, code, message } = isKnown ? error : new AppwriteError('realtime_policy_violation', 'Server Error');
      socket.send(errorFrame(/^(?:realtime_|user_jwt_invalid$)/.test(type) ? code : POLICY_VIOLATION, message));
      socket.close(code === TRY_AGAIN_LATER ? TRY_AGAIN_LATER : POLICY_VIOLATION);
    }
  }

  function checkSession(connection: Connection): void {
    try {
      connection.checkSession();
    } catch (error) {
      report(error);
    }
  }

  const heartbeat = setInterval(() => {
    for (const socket of connections.keys()) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, HEARTBEAT);
  heartbeat.unref();

  let closed = false;
  const deliver = createDelivery(subscriptions, outbox, report);
  const stopListening = events.listen((event) => {
    deliver(event);
    // An account event, such as a deleted session, may mean that a connection's session has ended.
    if (event.channels[0] !== 'account') return;
    for (const connection of connections.values()) {
      if (event.roles.includes(`user:${connection.userId}`)) setImmediate(checkSession, connection);
    }
  });

  return {
    upgrade(request, socket, head) {
      if (closed) socket.destroy();
      else if (!REALTIME.test(request.url ?? '')) refuseUpgrade(request, socket);
      else server.handleUpgrade(request, socket, head, (accepted) => accept(accepted, socket, request));
    },
    close() {
      if (closed) return;
      closed = true;
      stopListening();
      clearInterval(heartbeat);
      for (const socket of connections.keys()) {
        socket.close(GOING_AWAY);
        setTimeout(() => socket.terminate(), GRACE).unref();
      }
    },
  };
}
