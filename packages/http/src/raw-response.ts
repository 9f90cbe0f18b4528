import { STATUS_CODES } from 'node:http';

/** Returns a raw response that closes the connection, for sockets without a `ServerResponse`, such as upgrades. */
export function rawResponse(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({ Connection: 'close', ...headers, 'Content-Length': Buffer.byteLength(body) });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`;
}
