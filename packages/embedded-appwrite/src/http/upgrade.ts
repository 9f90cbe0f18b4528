import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { rawResponse } from '@common-ink/http/raw-response.ts';
import { AppwriteError } from './errors.ts';
import { VERSION } from './request-context.ts';

export function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  const { message, code, type } = new AppwriteError('general_route_not_found');
  const body = JSON.stringify({ message, code, type, version: VERSION });
  socket.on('error', () => socket.destroy());
  const headers = {
    Server: 'Appwrite',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=UTF-8',
  };
  socket.end(rawResponse(code, headers, body));
}
