/**
 * The site's `/v1` in front of a real Appwrite: HTTP, uploads and downloads streamed, WebSocket tunnelled, the session
 * cookie made first-party.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { fail, NO_ROUTE, UNREACHABLE } from './failure.ts';
import { type GatewayOptions, requestHeaders, responseHeaders } from './headers.ts';
import { createRemote, type Remote } from './remote.ts';
import { tunnel } from './tunnel.ts';

export type { GatewayOptions } from './headers.ts';

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the tunnels that are open. */
  disconnect(): void;
  close(): void;
}

/** Makes the gateway to `options.endpoint`. Requests arrive with the `/v1` prefix. */
export function createGateway(options: GatewayOptions, report: (message: string, error?: unknown) => void): Gateway {
  const remote = createRemote(options.endpoint, report);
  const tunnels = new Set<Duplex>();
  return {
    handle(request, response) {
      const target = remote.target(request.url ?? '');
      if (target) pass(remote, options, target, request, response);
      else fail(response, NO_ROUTE);
    },

    upgrade(request, socket, head) {
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      tunnel(remote, options, request, socket, head);
    },

    disconnect() {
      for (const socket of tunnels) socket.destroy();
    },

    close: () => remote.close(),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Sends one request on, and its answer back. A request without a body whose kept connection turned out to be closed
 * is sent once more on a fresh one.
 */
function pass(
  remote: Remote,
  options: GatewayOptions,
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  second = false,
): void {
  const headers = requestHeaders(request, options);
  const upstream = remote.send(target, { method: request.method, headers }, second);
  let answered = false;

  upstream.on('response', (answer) => {
    answered = true;
    remote.answered();
    response.writeHead(answer.statusCode ?? 502, responseHeaders(answer, request, options));
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
    });
  });
  upstream.on('error', (error) => {
    request.unpipe(upstream);
    // An answer that came before the body's end stands; what is left of the body is read and dropped.
    request.resume();
    if (answered || response.destroyed) return;
    if (!second && upstream.reusedSocket && !hasBody(request)) {
      pass(remote, options, target, request, response, true);
      return;
    }
    remote.failed(error);
    fail(response, UNREACHABLE);
  });
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  if (hasBody(request)) request.pipe(upstream);
  else upstream.end();
}
