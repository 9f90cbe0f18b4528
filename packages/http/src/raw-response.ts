import { STATUS_CODES } from 'node:http';

/** Returns a whole response for a socket without a `ServerResponse`, such as a WebSocket request's; it closes the connection. */
export function rawResponse(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({ Connection: 'close', ...headers, 'Content-Length': Buffer.byteLength(body) });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`;
}
