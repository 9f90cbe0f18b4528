/** Serves `/v1` in front of a remote Appwrite: streams HTTP, tunnels WebSockets, makes session cookies first-party. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { proxy } from '@common-ink/http/proxy/proxy.ts';
import { tunnel } from '@common-ink/http/proxy/tunnel.ts';
import { createUpstream } from '@common-ink/http/proxy/upstream.ts';
import { fail, NO_ROUTE, rawFailure, UNREACHABLE } from './failure.ts';
import { type GatewayOptions, requestHeaders, responseHeaders } from './headers.ts';

const BASE = '/v1';

/** Returns the handlers for requests whose URLs start with `/v1`. */
export function createGateway(options: GatewayOptions, report: (message: string, error?: unknown) => void) {
  const upstream = createUpstream(options.endpoint, 'The Appwrite', report);
  const targetOf = ({ url = '' }: IncomingMessage) => upstream.target(url.slice(BASE.length));
  const tunnels = new Set<Duplex>();
  const rules = {
    requestHeaders: (request: IncomingMessage) => requestHeaders(request, options),
    responseHeaders: (answer: IncomingMessage, request: IncomingMessage) => responseHeaders(answer, request, options),
    unreachable: (response: ServerResponse) => fail(response, UNREACHABLE),
  };
  return {
    handle(request: IncomingMessage, response: ServerResponse): void {
      const target = targetOf(request);
      if (target) proxy(upstream, rules, target, request, response);
      else fail(response, NO_ROUTE);
    },

    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      const target = targetOf(request);
      if (!target) return void socket.end(rawFailure(NO_ROUTE));
      const headers = requestHeaders(request, options);
      tunnel(upstream, { target, headers, unreachable: rawFailure(UNREACHABLE) }, socket, head);
    },

    disconnect() {
      for (const socket of tunnels) socket.destroy();
    },

    close: () => upstream.close(),
  };
}
