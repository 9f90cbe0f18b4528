/** Passes requests on to another server and its answers back, both streamed. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Upstream } from './upstream.ts';

/** What is passed on, and in which form. */
export interface ProxyRules {
  requestHeaders(request: IncomingMessage): OutgoingHttpHeaders;
  responseHeaders(answer: IncomingMessage, request: IncomingMessage): OutgoingHttpHeaders;
  /** Answers when the upstream does not; an answer may have begun. */
  unreachable(response: ServerResponse): void;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Sends one request on, and its answer back. A request without a body whose kept connection turned out to be closed
 * is sent once more on a fresh one.
 */
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
    // A server that ends has answered in the meantime.
    if (response.writableEnded) return void answer.resume();
    response.writeHead(answer.statusCode ?? 502, rules.responseHeaders(answer, request));
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
    });
  });
  sent.on('error', (error) => {
    request.unpipe(sent);
    // An answer that came before the body's end stands; what is left of the body is read and dropped.
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
