import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { rawResponse } from '../raw-response.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds of silence after which TCP keep-alive checks whether the peer still exists. */
const PROBE_MS = 30_000;

const HANDSHAKE = /^(?:sec-websocket-.+|upgrade|connection)$/;

export interface TunnelRequest {
  readonly target: URL;
  /** The client's headers to forward, including `Sec-WebSocket-*`; `Connection` and `Upgrade` are added. */
  readonly headers: OutgoingHttpHeaders;
  readonly unreachable: string;
}

/** Connects a client's WebSocket to another server. `head` contains the bytes received after the request. */
export function tunnel(upstream: Upstream, { target, ...request }: TunnelRequest, socket: Duplex, head: Buffer): void {
  const headers = { ...request.headers, connection: 'Upgrade', upgrade: 'websocket' };
  const sent = upstream.send(target, { headers }, true);
  const drop = () => void sent.destroy();
  socket.on('error', drop).on('close', drop);
  sent.on('error', (error) => {
    if (socket.destroyed) return;
    upstream.failed(error);
    socket.end(request.unreachable);
  });
  sent.on('response', (answer) => {
    // Drops the body, because browsers hide the body of a refused handshake from scripts.
    answer.resume();
    socket.end(rawResponse(answer.statusCode ?? 502));
  });
  sent.on('upgrade', (answer, far: Socket, farHead) => {
    socket.off('error', drop).off('close', drop);
    upstream.answered();
    const lines = Object.entries(answer.headers).filter(([name]) => HANDSHAKE.test(name));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
    for (const end of [socket as Socket, far]) end.setTimeout(0).setNoDelay(true).setKeepAlive(true, PROBE_MS);
    join(socket as Socket, far);
    if (farHead.length > 0) socket.write(farHead);
    if (head.length > 0) far.write(head);
  });
  sent.end();
}

/** Pipes data both ways. When one socket closes, data already received from it is still sent to the other. */
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
