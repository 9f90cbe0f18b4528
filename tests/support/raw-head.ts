import { connect } from 'node:net';

export interface RawHead {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  /** Values by lower-case name, in the order received. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

export interface RawRequest {
  readonly method?: string;
  readonly target: string;
  /** Header lines, which are sent unchanged and must include `Host`. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** Sends a request on a new connection to a loopback port, and closes it once the response's head has arrived. */
export function rawHead(port: number, { method = 'GET', target, headers = [], body = '' }: RawRequest) {
  const { promise, resolve } = Promise.withResolvers<RawHead>();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const read = () => {
    const end = text.indexOf('\r\n\r\n');
    if (end >= 0) socket.destroy();
    return resolve(headOf(end < 0 ? '' : text.slice(0, end)));
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (text.includes('\r\n\r\n')) read();
  });
  socket.on('error', read).on('close', read);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : '';
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines}${length}\r\n${body}`);
  return promise;
}

function headOf(text: string): RawHead {
  const [first = '', ...lines] = text.split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return { status: Number(first.slice(9, 12)), headers };
}
