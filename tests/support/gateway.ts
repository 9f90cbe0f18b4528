/** Starts test servers whose `/v1` is the gateway. */
import { once } from 'node:events';
import {
  type Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createClientOf } from '@common-ink/http/client-address.ts';
import { createGateway } from '#server/gateway/gateway.ts';

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

/** A busy machine may leave a connection idle for more than Node's default of 5 s, and the next request would fail. */
const PATIENT = { keepAliveTimeout: 600_000 };

/** Starts a gateway. `siteUrl` is the site's public origin (default: the origin on which the gateway listens). */
export async function startGateway(remoteOrigin: string, projectId: string, siteUrl?: string) {
  const server = createServer(PATIENT);
  const origin = await listen(server);
  const reports: string[] = [];
  const endpoint = new URL(`${remoteOrigin}/v1`);
  const settings = { endpoint, projectId, siteOrigin: siteUrl ?? origin, clientOf: createClientOf([]) };
  const gateway = createGateway(settings, (message) => reports.push(message));
  server.on('request', gateway.handle).on('upgrade', gateway.upgrade);
  return {
    origin,
    reports,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      gateway.disconnect();
      await close(server);
      gateway.close();
    },
  };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Mirror = Awaited<ReturnType<typeof startMirror>>;

/** Starts a fake remote that records requests and responds with `answerHeaders` (names and values in turn). */
export async function startMirror(answerHeaders: string[] = []) {
  const seen: Seen[] = [];
  /** Statuses of the next responses; later responses have the status 200. */
  const statuses: number[] = [];
  const server = createServer(PATIENT, async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(await Array.fromAsync(request)).toString() });
    response.writeHead(statuses.shift() ?? 200, answerHeaders).end('seen');
  });
  return { origin: await listen(server), seen, statuses, stop: () => close(server) };
}

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly agent?: Agent | false;
  readonly localAddress?: string;
}

/** Sends a request that `fetch` cannot send: with any headers, and with `path`, if given, exactly as it is. */
export async function send(address: string, { body: sent, agent = false, ...options }: Sending = {}, path?: string) {
  const request = httpRequest(address, { agent, ...options, ...(path && { path }) }).end(sent);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() };
}

/** Returns the open sockets of a server, so that a test can cut them. */
export function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}
