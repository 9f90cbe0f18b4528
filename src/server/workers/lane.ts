/**
 * Connections on which only stored pages are read, which is what a proxy's connections mostly are: each request is
 * answered with ready bytes, without an HTTP server's work. With the first request that is anything else a connection
 * becomes an ordinary one of the HTTP server, and stays so.
 */
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { SERVER_OPTIONS } from '#embedded/http/connections.ts';
import type { Copies } from '#publishing/lending/copies.ts';
import { plainReadOf } from '#publishing/lending/plain-read.ts';

export interface Lane {
  /** Listen on this one. */
  readonly server: Server;
  /** Ends connections on which nobody waits for an answer. */
  closeIdle(): void;
}

export function createLane(copies: Pick<Copies, 'answer'>, http: HttpServer): Lane {
  const open = new Set<Socket>();

  const onConnection = (socket: Socket) => {
    open.add(socket);
    const drop = () => socket.destroy();
    const forget = () => void open.delete(socket);
    const onData = (chunk: Buffer) => {
      const read = plainReadOf(chunk);
      const answer = read && copies.answer(read, SERVER_OPTIONS.keepAliveTimeout / 1000);
      if (!answer) return handOver(chunk);
      socket.setTimeout(SERVER_OPTIONS.keepAliveTimeout);
      // Who does not read what he asked for gets no more of it.
      if (!socket.write(answer)) socket.pause().once('drain', resume);
    };
    const resume = () => void socket.resume();
    const handOver = (chunk: Buffer) => {
      forget();
      socket.setTimeout(0);
      socket.off('data', onData).off('timeout', drop).off('error', drop).off('end', drop).off('close', forget);
      socket.pause();
      socket.unshift(chunk);
      http.emit('connection', socket);
      socket.resume();
    };
    socket.setTimeout(SERVER_OPTIONS.headersTimeout);
    socket.on('data', onData).on('timeout', drop).on('error', drop).on('end', drop).on('close', forget);
  };

  return {
    // As the HTTP server has it.
    server: createServer({ noDelay: true, allowHalfOpen: true }, onConnection),
    closeIdle() {
      for (const socket of open) if (socket.writableLength === 0) socket.destroy();
    },
  };
}
