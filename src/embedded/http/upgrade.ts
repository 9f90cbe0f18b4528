/** Answers WebSocket requests for what is no WebSocket service. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppwriteError } from './errors.ts';
import { VERSION } from './exchange.ts';

/** Ends the socket with the contract's error body, 404. */
export function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  const { message, code, type } = new AppwriteError('general_route_not_found');
  const body = JSON.stringify({ message, code, type, version: VERSION });
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${code} Not Found\r\nServer: Appwrite\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
