/** Child process: readers of stored pages, each at a steady rate on a connection that stays open. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readings, ReadOrder, Tally } from './order.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** A reader gives up after this many milliseconds. */
const PATIENCE = 30_000;

const latencies: number[] = [];
const errors: Tally = {};
let stopped = false;

function failed(what: string): void {
  errors[what] = (errors[what] ?? 0) + 1;
}

/** Sends one request; returns the status or rejects if the connection failed. */
function ask(socket: Socket, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0);
    let left = -1;
    let status = '';
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new Error('nothing came'))), PATIENCE);
    const onClose = () => finish(() => reject(new Error('the connection was closed')));
    const onData = (chunk: Buffer): void => {
      if (left < 0) {
        head = Buffer.concat([head, chunk]);
        const at = head.indexOf(HEAD_END);
        if (at < 0) return;
        const text = head.toString('latin1', 0, at);
        status = text.slice(9, 12);
        left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - at - HEAD_END.length);
      } else {
        left -= chunk.length;
      }
      if (left <= 0) finish(() => resolve(status));
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n`);
  });
}

async function read(order: ReadOrder, index: number): Promise<void> {
  let socket: Socket | undefined;
  const open = (): Socket => {
    const fresh = connect({ port: order.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    fresh.setNoDelay(true);
    fresh.on('error', () => {});
    return fresh;
  };
  let due = performance.now() + (index / order.readers) * order.every;
  for (let i = index; !stopped; i++, due += order.every) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    // Timers may fire a fraction of a millisecond early.
    due = Math.min(due, performance.now());
    if (!socket || socket.destroyed) socket = open();
    try {
      const status = await ask(socket, order.paths[i % order.paths.length] as string);
      if (status !== '200') failed(`answered ${status}`);
    } catch (error) {
      failed((error as Error).message);
      socket.destroy();
    }
    // Measures from the due time, so that a delayed request also counts its wait for the previous one.
    latencies.push(performance.now() - due);
  }
  socket?.destroy();
}

process.on('message', (message: ReadOrder | 'stop') => {
  if (message === 'stop') {
    stopped = true;
    return;
  }
  const all = Array.from({ length: message.readers }, (_, index) => read(message, index));
  void Promise.all(all).then(() => process.send?.({ latencies, errors } satisfies Readings));
});
process.on('disconnect', () => process.exit(0));
