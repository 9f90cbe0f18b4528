/**
 * Child process: sends one server the same kind of request over keep-alive connections, one at a time on each, and
 * reports the latencies. It parses only an answer's length, to cost little beside the server.
 */
import { connect, type Socket } from 'node:net';
import type { LoadOrder, LoadResult } from './load.ts';

const PLACEHOLDER = Buffer.from('@@@@@@@@@@@@');
const HEAD_END = Buffer.from('\r\n\r\n');

let serial = 0;

/** Replaces the placeholder in the request, which makes it unique. */
function unique(request: Buffer): Buffer {
  let at = request.indexOf(PLACEHOLDER);
  if (at < 0) return request;
  const own = Buffer.from(request);
  const name = `${process.pid.toString(36)}${(serial++).toString(36)}`.padStart(PLACEHOLDER.length, '0');
  for (; at >= 0; at = own.indexOf(PLACEHOLDER, at)) own.write(name.slice(-PLACEHOLDER.length), at, 'latin1');
  return own;
}

function run({ port, requests, connections, seconds }: LoadOrder): Promise<LoadResult> {
  const bodies = requests.map((request) => Buffer.from(request, 'base64'));
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let next = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;

  function drive(socket: Socket, finish: () => void): void {
    let sent = 0;
    let head: Buffer = Buffer.alloc(0);
    let left = -1;
    const ask = (): void => {
      const request = bodies[next++ % bodies.length] as Buffer;
      sent = performance.now();
      socket.write(unique(request));
    };
    const answered = (): void => {
      const now = performance.now();
      latencies.push(now - sent);
      if (now < end) ask();
      else socket.end(finish);
    };
    socket.on('data', (chunk: Buffer) => {
      if (left < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const at = head.indexOf(HEAD_END);
        if (at < 0) return;
        const text = head.toString('latin1', 0, at);
        const status = text.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - at - HEAD_END.length);
        head = Buffer.alloc(0);
      } else {
        left -= chunk.length;
      }
      if (left > 0) return;
      left = -1;
      answered();
    });
    socket.on('error', (error) => {
      statuses[error.message] = (statuses[error.message] ?? 0) + 1;
      finish();
    });
    ask();
  }

  const all = Array.from(
    { length: connections },
    () =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => drive(socket, resolve));
        socket.setNoDelay(true);
      }),
  );
  return Promise.all(all).then(() => ({ latencies, statuses, seconds: (performance.now() - begun) / 1000 }));
}

process.on('message', (order: LoadOrder) => void run(order).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit(0));
