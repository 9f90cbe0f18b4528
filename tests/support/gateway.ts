/** A site's server for tests whose `/v1` is the gateway. */
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClientOf } from '@common-ink/http/client-address.ts';
import { createGateway } from '#server/gateway/gateway.ts';

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

/** Starts a gateway; `siteUrl` is the site's public address and defaults to the one it listens on. */
export async function startGateway(remoteOrigin: string, projectId: string, siteUrl?: string) {
  const server = createServer();
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

/** Starts a remote that records requests and answers with `answerHeaders` (names and values in turn). */
export async function startMirror(answerHeaders: string[] = []) {
  const seen: Seen[] = [];
  /** Statuses of the next answers; the others are 200. */
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(await Array.fromAsync(request)).toString() });
    response.writeHead(statuses.shift() ?? 200, answerHeaders).end('seen');
  });
  return { origin: await listen(server), seen, statuses, stop: () => close(server) };
}

/** Sends a request that `fetch` cannot send: any header, and `path` unchanged in place of the address's own. */
export function send(
  address: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  path?: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(address, { method, headers, agent: false, ...(path && { path }) }, (response) => {
      const answered = (body: string) => ({ status: response.statusCode ?? 0, headers: response.headers, text: body });
      text(response).then((body) => resolve(answered(body)), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
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
