/**
 * The site's `/v1` in front of a real Appwrite: HTTP, uploads and downloads streamed, WebSocket tunnelled, the session
 * cookie made first-party.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type GatewayOptions, requestHeaders, responseHeaders } from './headers.ts';

export type { GatewayOptions } from './headers.ts';

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the tunnels that are open. */
  disconnect(): void;
  close(): void;
}

/** Without a byte from the remote for this long, a request is given up. Milliseconds; previews may take a while. */
const SILENCE = 60_000;
/** Connections to the remote at once. */
const SOCKETS = 256;

/** Answers as the backend does when it cannot answer (contract 1.6), so that the SDK raises with words. */
function unreachable(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({
    message: 'The backend cannot be reached. Please try again in a moment.',
    code: 503,
    type: 'general_server_error',
    version: '1.9.6',
  });
  response.writeHead(503, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': '5',
  });
  response.end(body);
}

/** Makes the gateway to `options.endpoint`. Requests arrive with the `/v1` prefix. */
export function createGateway(options: GatewayOptions, report: (message: string, error: unknown) => void): Gateway {
  const { endpoint } = options;
  const secure = endpoint.protocol === 'https:';
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS })
    : new HttpAgent({ keepAlive: true, maxSockets: SOCKETS });
  const send = secure ? httpsRequest : httpRequest;
  const tunnels = new Set<Duplex>();
  const target = (url = '/v1') => new URL(endpoint.pathname + url.slice('/v1'.length), endpoint.origin);

  return {
    handle(request, response) {
      const headers = requestHeaders(request, options);
      const upstream = send(target(request.url), { method: request.method, headers, agent, timeout: SILENCE });
      const sameOrigin = headers.origin === undefined;
      upstream.on('timeout', () => upstream.destroy(new Error('The remote Appwrite did not answer in time.')));
      upstream.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, responseHeaders(answer, options, sameOrigin));
        pipeline(answer, response).catch(() => response.destroy());
      });
      upstream.on('error', (error) => {
        if (!response.destroyed) report('The remote Appwrite cannot be reached.', error);
        unreachable(response);
      });
      response.on('close', () => {
        if (!response.writableFinished) upstream.destroy();
      });
      pipeline(request, upstream).catch(() => upstream.destroy());
    },

    upgrade(request, socket, head) {
      const headers = { ...requestHeaders(request, options), connection: 'Upgrade', upgrade: 'websocket' };
      const upstream = send(target(request.url), { headers, agent: false });
      const giveUp = () => socket.destroy();
      tunnels.add(socket);
      socket.on('error', () => upstream.destroy());
      socket.on('close', () => {
        tunnels.delete(socket);
        upstream.destroy();
      });
      upstream.on('error', (error) => {
        report('The remote Appwrite’s realtime cannot be reached.', error);
        giveUp();
      });
      upstream.on('response', giveUp);
      upstream.on('upgrade', (answer, remote, remoteHead) => {
        const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
        if (remoteHead.length > 0) socket.write(remoteHead);
        if (head.length > 0) remote.write(head);
        remote.on('error', giveUp);
        remote.on('close', giveUp);
        socket.on('close', () => remote.destroy());
        remote.pipe(socket);
        socket.pipe(remote);
      });
      upstream.end();
    },

    disconnect() {
      for (const socket of tunnels) socket.destroy();
    },

    close: () => agent.destroy(),
  };
}
