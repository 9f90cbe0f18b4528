/**
 * How a reader thread hands the site what it cannot answer itself: request by request over a socket in a folder that
 * only this user can open, so that bodies, answers and WebSockets stream through. The site sees the client's address.
 */
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

/** Carries the client's address. What a client sends under this name goes no further. */
const CLIENT_HEADER = 'x-common-ink-client';
/** Of one connection, not of the request. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect', CLIENT_HEADER]);

export interface PassOn {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Passes requests on to `socketPath`; `told` hears of each answer's status and `X-Page`. */
export function createPassOn(
  socketPath: string,
  told: (request: IncomingMessage, status: number, state: string) => void,
): PassOn {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path } = request;
    const headers = [...without(request.rawHeaders, HOP_BY_HOP), CLIENT_HEADER, addressOf(request)];
    if (!hasBody(request) && !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method ?? '')) {
      if (request.headers['content-length'] === undefined) headers.push('Content-Length', '0');
    }
    const upstream = httpRequest({ agent, socketPath, method, path, headers });
    upstream.on('response', (answer) => {
      const { statusCode = 502, statusMessage, rawHeaders } = answer;
      response.writeHead(statusCode, statusMessage, without(rawHeaders, HOP_BY_HOP));
      pipeline(answer, response, (error) => {
        if (error) response.destroy();
        else told(request, statusCode, String(answer.headers['x-page'] ?? ''));
      });
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      request.unpipe(upstream);
      // The site may have closed a kept connection in the moment in which it was used again. A read can be asked twice.
      const isStale = upstream.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
      const isRead = (method === 'GET' || method === 'HEAD') && !hasBody(request);
      if (isStale && isRead && !response.headersSent && !response.destroyed) handle(request, response);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('502\n');
    });
    response.on('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    // The rest of a body that the site does not want is thrown away: whoever still sends would not hear the answer else.
    upstream.on('close', () => {
      request.unpipe(upstream);
      request.resume();
    });
    if (hasBody(request)) request.pipe(upstream);
    else upstream.end();
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    const headers = [...without(request.rawHeaders, new Set([CLIENT_HEADER])), CLIENT_HEADER, addressOf(request)];
    for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
    const upstream = connect(socketPath);
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    upstream.write(head);
    request.socket.setTimeout(0);
    const end = () => {
      socket.destroy();
      upstream.destroy();
    };
    for (const side of [socket, upstream]) side.on('error', end).on('close', end);
    socket.pipe(upstream).pipe(socket);
  }

  return { handle, upgrade, close: () => agent.destroy() };
}

/** The site's side: gives a request the address of the client that it was passed on for. */
export function adopt(request: IncomingMessage): void {
  const { headers, rawHeaders, socket } = request;
  const value = String(headers[CLIENT_HEADER] ?? '');
  delete headers[CLIENT_HEADER];
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (rawHeaders[i]?.toLowerCase() === CLIENT_HEADER) rawHeaders.splice(i, 2);
  Object.defineProperty(socket, 'remoteAddress', { value, configurable: true });
}

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Headers as name, value, name, value, without those of these names. */
function without(headers: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (!names.has(name.toLowerCase())) kept.push(name, headers[i + 1] as string);
  }
  return kept;
}
