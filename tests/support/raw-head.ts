/** What a server answers to any bytes: the status and the headers, as they came. */
import { connect } from 'node:net';

export interface RawHead {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  /** Values by the name in lower case, each as often as it was said. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

export interface RawRequest {
  readonly method?: string;
  readonly target: string;
  /** Every line is sent as it stands here, `Host` too. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** Asks the server at a loopback port on a connection of its own, which is left when the head of the answer is there. */
export function rawHead(
  port: number,
  { method = 'GET', target, headers = [], body = '' }: RawRequest,
): Promise<RawHead> {
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
  // Nothing more than that: a read without a body is as plain as any.
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
