/** Answers on sockets that no `ServerResponse` writes to, as those of WebSocket requests. */
import { STATUS_CODES } from 'node:http';

/** The bytes of a whole response after which the connection ends. */
export function rawResponse(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({ Connection: 'close', ...headers, 'Content-Length': Buffer.byteLength(body) });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`;
}
