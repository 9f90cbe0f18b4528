/** Responds to simple requests for in-memory pages without Node's parser. Hands all other connections over to Node. */
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { matchesIfNoneMatch } from '@common-ink/http/conditional.ts';
import { type Encoding, negotiate } from '@common-ink/http/encoding.ts';
import { isHost } from '@common-ink/http/host.ts';
import type { HeaderPairs } from '#blog/routes/security-headers.ts';
import type { Variant } from './repository/stored-page.ts';
import { refreshAge } from './variant.ts';

export interface SimpleRequest {
  readonly isHead: boolean;
  readonly path: string;
  readonly encoding: Encoding;
  readonly ifNoneMatch: string | undefined;
}

const MAX_REQUEST_BYTES = 4096;
const REQUEST_LINE = /^(GET|HEAD) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
/** Matches an unfolded ASCII header line (RFC 9110, 5.5 and 5.6.2). */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/;
/** Headers that change how the request or connection is handled. A request with any of them goes to the HTTP server. */
const UNUSUAL = new Set([
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'keep-alive',
  'http2-settings',
]);
const ONCE = new Set(['host', 'accept-encoding', 'if-none-match', 'connection']);

/** Maximum number of parsed requests to cache. Caching pays off because clients repeat most requests byte for byte. */
const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 1024;

/** Creates a parser. It returns undefined unless the chunk is exactly one complete simple request. */
export function createParser(): (chunk: Buffer) => SimpleRequest | undefined {
  const parsed = new Map<string, SimpleRequest | undefined>();
  return (chunk) => {
    if (chunk.length > MAX_REQUEST_BYTES) return undefined;
    const text = chunk.toString('latin1');
    if (parsed.has(text)) return parsed.get(text);
    const request = parseSimpleRequest(text);
    if (text.length <= MAX_CACHED_LENGTH) {
      if (parsed.size >= MAX_CACHED) parsed.clear();
      parsed.set(text, request);
    }
    return request;
  };
}

function parseSimpleRequest(text: string): SimpleRequest | undefined {
  if (text.indexOf('\r\n\r\n') !== text.length - 4) return undefined;
  const [first = '', ...lines] = text.slice(0, -4).split('\r\n');
  const [, method, path] = REQUEST_LINE.exec(first) ?? [];
  if (path === undefined) return undefined;
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    if (UNUSUAL.has(key) || (ONCE.has(key) && values.has(key))) return undefined;
    values.set(key, value.trim());
  }
  if (!isHost(values.get('host') ?? '')) return undefined;
  if ((values.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined;
  return {
    isHead: method === 'HEAD',
    path,
    encoding: negotiate(values.get('accept-encoding')),
    ifNoneMatch: values.get('if-none-match'),
  };
}

export interface FastPathOptions {
  /** Returns the variant if the page is current and in memory; called once per request. */
  readonly currentVariant: (path: string, encoding: Encoding) => Variant | undefined;
  readonly commonHeaders?: HeaderPairs;
  /** Milliseconds that a connection may stay silent before its first request; afterwards `keepAliveTimeout` applies. */
  readonly headersTimeout: number;
  readonly keepAliveTimeout: number;
}

export interface FastPath {
  readonly counts: { readonly ok: number; readonly notModified: number };
  /** Closes each connection after its next response. */
  drain(): void;
  /** Closes idle connections now, and the others once their response is sent. */
  close(): void;
  closeAll(): void;
}

/** Handles a server's connections before the server does. Call this before adding other `connection` listeners. */
export function openFastPath(server: HttpServer, options: FastPathOptions): FastPath {
  const { currentVariant, commonHeaders = [], headersTimeout, keepAliveTimeout } = options;
  const common = serialized(commonHeaders.flat());
  const parse = createParser();
  const ordinary = server.listeners('connection');
  const open = new Set<Socket>();
  const counts = { ok: 0, notModified: 0 };
  let isDraining = false;
  let isClosing = false;
  let [second, end] = [-1, ''];

  /** Sends a response. Returns false if the HTTP server must handle the request instead. */
  const answer = (socket: Socket, { path, encoding, isHead, ifNoneMatch }: SimpleRequest): boolean => {
    const variant = currentVariant(path, encoding);
    if (!variant) return false;
    const now = Math.trunc(Date.now() / 1000);
    if (now !== second) {
      const date = `Date: ${new Date(now * 1000).toUTCString()}`;
      const keepAlive = isDraining
        ? 'Connection: close'
        : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeout / 1000}`;
      [second, end] = [now, `${common}${date}\r\n${keepAlive}\r\n\r\n`];
    }
    refreshAge(variant, now);
    const isHeld = ifNoneMatch !== undefined && matchesIfNoneMatch(ifNoneMatch, variant.etag);
    const head = isHeld
      ? `HTTP/1.1 304 Not Modified\r\n${serialized(variant.notModified)}`
      : `HTTP/1.1 200 OK\r\n${serialized(variant.head)}`;
    if (isHeld) counts.notModified++;
    else counts.ok++;
    let flows: boolean;
    if (isHeld || isHead) flows = socket.write(head + end, 'latin1');
    else {
      socket.cork();
      socket.write(head + end, 'latin1');
      flows = socket.write(variant.body);
      socket.uncork();
    }
    if (isDraining) socket.end();
    // Stops reading requests while the client does not read its responses.
    else if (!flows) socket.pause().once('drain', () => void socket.resume());
    return true;
  };

  const onConnection = (socket: Socket) => {
    open.add(socket);
    let isReading = false;
    const drop = () => socket.destroy();
    const finish = () => socket.end();
    const forget = () => void open.delete(socket);
    const onData = (chunk: Buffer) => {
      if (isClosing || socket.writableEnded) return;
      const request = parse(chunk);
      if (!request || !answer(socket, request)) return handOver(chunk);
      // Set only once, because Node.js restarts the timeout whenever bytes are read or written.
      if (!isReading) socket.setTimeout(keepAliveTimeout);
      isReading = true;
    };
    const handOver = (chunk: Buffer) => {
      forget();
      socket.setTimeout(0);
      socket.off('data', onData).off('timeout', drop).off('error', drop).off('end', finish).off('close', forget);
      socket.pause();
      socket.unshift(chunk);
      for (const listener of ordinary) Reflect.apply(listener, server, [socket]);
      socket.resume();
    };
    socket.setTimeout(headersTimeout);
    socket.on('data', onData).on('timeout', drop).on('error', drop).on('end', finish).on('close', forget);
  };
  server.removeAllListeners('connection').on('connection', onConnection);

  return {
    counts,
    drain() {
      isDraining = true;
      second = -1;
    },
    close() {
      isClosing = true;
      for (const socket of open) socket.destroySoon();
    },
    closeAll() {
      for (const socket of open) socket.destroy();
    },
  };
}

function serialized(headers: readonly string[]): string {
  let text = '';
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return text;
}
