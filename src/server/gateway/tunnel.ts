/** A browser's WebSocket, passed on to the remote Appwrite byte for byte. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { NO_ROUTE, rawFailure, UNREACHABLE } from './failure.ts';
import { type GatewayOptions, requestHeaders } from './headers.ts';
import type { Remote } from './remote.ts';

/** A peer that vanished without a word is noticed after this long. Milliseconds. */
const PROBE = 30_000;

/** What of the remote's consent concerns the browser. */
const HANDSHAKE = /^(?:sec-websocket-.+|upgrade|connection)$/;

/** Connects `socket` with the remote; `head` is what came after the request. */
export function tunnel(
  remote: Remote,
  options: GatewayOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const target = remote.target(request.url ?? '');
  if (!target) return void socket.end(rawFailure(NO_ROUTE));
  const headers = { ...requestHeaders(request, options), connection: 'Upgrade', upgrade: 'websocket' };
  const upstream = remote.send(target, { headers }, true);
  const drop = () => void upstream.destroy();
  socket.on('error', drop).on('close', drop);
  upstream.on('error', (error) => {
    if (socket.destroyed) return;
    remote.failed(error);
    socket.end(rawFailure(UNREACHABLE));
  });
  upstream.on('response', (answer) => {
    // A refusal. Its words are for logs: a browser's script sees only that the socket closed.
    answer.resume();
    socket.end(
      `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });
  upstream.on('upgrade', (answer, far: Socket, farHead) => {
    socket.off('error', drop).off('close', drop);
    remote.answered();
    const lines = Object.entries(answer.headers).filter(([name]) => HANDSHAKE.test(name));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
    for (const end of [socket as Socket, far]) end.setTimeout(0).setNoDelay(true).setKeepAlive(true, PROBE);
    join(socket as Socket, far);
    if (farHead.length > 0) socket.write(farHead);
    if (head.length > 0) far.write(head);
  });
  upstream.end();
}

/** Pipes both ways. What one end wrote before it closed still reaches the other. */
function join(near: Socket, far: Socket): void {
  near.pipe(far).pipe(near);
  for (const [end, other] of [
    [near, far],
    [far, near],
  ] as const) {
    end.on('error', () => other.destroy());
    end.on('close', () => other.destroySoon());
  }
}
