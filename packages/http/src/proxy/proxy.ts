import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Upstream } from './upstream.ts';

export interface ProxyRules {
  requestHeaders(request: IncomingMessage): OutgoingHttpHeaders;
  responseHeaders(answer: IncomingMessage, request: IncomingMessage): OutgoingHttpHeaders;
  /** Responds to the client when the upstream cannot be reached. */
  unreachable(response: ServerResponse): void;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Proxies one request. If a reused connection fails, a request without a body is retried once on a new connection. */
export function proxy(
  upstream: Upstream,
  rules: ProxyRules,
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  second = false,
): void {
  const sent = upstream.send(target, { method: request.method, headers: rules.requestHeaders(request) }, second);
  let answered = false;

  sent.on('response', (answer) => {
    answered = true;
    upstream.answered();
    if (response.writableEnded) return void answer.resume();
    response.writeHead(answer.statusCode ?? 502, rules.responseHeaders(answer, request));
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
    });
  });
  sent.on('error', (error) => {
    request.unpipe(sent);
    // Discards the rest of the request body, so that the client can read the response.
    request.resume();
    if (answered || response.destroyed) return;
    if (!second && sent.reusedSocket && !hasBody(request)) {
      proxy(upstream, rules, target, request, response, true);
      return;
    }
    upstream.failed(error);
    rules.unreachable(response);
  });
  response.on('close', () => {
    if (!answered || !response.writableFinished) sent.destroy();
  });
  if (hasBody(request)) request.pipe(sent);
  else sent.end();
}
