/**
 * Connections on which only stored pages are read, which is what a proxy's connections mostly are: each request is
 * answered with ready bytes, without an HTTP server's work. With the first request that is anything else a connection
 * becomes an ordinary one of the HTTP server, and stays so (docs/decisions/019-one-lane-for-plain-reads.md).
 */
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { SERVER_OPTIONS } from '#embedded/http/connections.ts';
import { plainReadOf } from '#publishing/plain/plain-read.ts';
import type { PlainAnswers, WireAnswer } from '#publishing/plain/wires.ts';

export interface Lane {
  /** Ends its connections: idle ones at once, the others when what was asked for is sent. */
  close(): void;
  /** Ends them whatever is under way. */
  closeAll(): void;
}

/** How long a connection may be silent before its first request, and before each further one; milliseconds, as the server has them. */
type Silence = Pick<typeof SERVER_OPTIONS, 'headersTimeout' | 'keepAliveTimeout'>;

/** Takes a server's connections before the server does. Call it before anybody else listens to them, such as `limitConnections`. */
export function openLane(server: HttpServer, pages: PlainAnswers, silence: Silence = SERVER_OPTIONS): Lane {
  const { headersTimeout, keepAliveTimeout } = silence;
  const ordinary = server.listeners('connection');
  const open = new Set<Socket>();
  let closing = false;

  const onConnection = (socket: Socket) => {
    open.add(socket);
    let reading = false;
    const drop = () => socket.destroy();
    const end = () => socket.end();
    const forget = () => void open.delete(socket);
    const resume = () => void socket.resume();
    const onData = (chunk: Buffer) => {
      if (closing) return;
      const read = plainReadOf(chunk);
      const answer = read && pages.answer(read, keepAliveTimeout / 1000);
      if (!answer) return handOver(chunk);
      if (!reading) {
        reading = true;
        // Begins anew by itself whenever bytes come or go.
        socket.setTimeout(keepAliveTimeout);
      }
      // Who does not read what he asked for gets no more of it.
      if (!send(socket, answer)) socket.pause().once('drain', resume);
    };
    const handOver = (chunk: Buffer) => {
      forget();
      socket.setTimeout(0);
      socket.off('data', onData).off('timeout', drop).off('error', drop).off('end', end).off('close', forget);
      socket.pause();
      socket.unshift(chunk);
      for (const listener of ordinary) Reflect.apply(listener, server, [socket]);
      socket.resume();
    };
    socket.setTimeout(headersTimeout);
    socket.on('data', onData).on('timeout', drop).on('error', drop).on('end', end).on('close', forget);
  };
  server.removeAllListeners('connection').on('connection', onConnection);

  return {
    close() {
      closing = true;
      for (const socket of open) socket.destroySoon();
    },
    closeAll() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** False when what was sent waits for the client to read. */
function send(socket: Socket, { bytes, body }: WireAnswer): boolean {
  if (!body) return socket.write(bytes);
  socket.cork();
  socket.write(bytes);
  const flows = socket.write(body);
  socket.uncork();
  return flows;
}
