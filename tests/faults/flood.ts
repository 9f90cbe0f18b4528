/** Many large uploads at the same time, over raw sockets, so that this side costs next to nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { KEY, PROJECT } from '../support/backend-process.ts';

const BOUNDARY = 'flood';
/** Pieces of this size, so that no client is faster than the server. */
const PIECE = 64 * 1024;

/** Uploads `bytes` as a file of its own; gives the status line's number. */
async function upload(port: number, path: string, fileId: string, bytes: Buffer): Promise<number> {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const before = `${part('name="fileId"')}${fileId}\r\n${part('name="file"; filename="large.bin"')}`;
  const after = `\r\n--${BOUNDARY}--\r\n`;
  const head = [
    `POST /v1${path} HTTP/1.1`,
    'host: localhost',
    `x-appwrite-project: ${PROJECT}`,
    `x-appwrite-key: ${KEY}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${before.length + bytes.length + after.length}`,
    'connection: close',
  ];
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  socket.write(`${head.join('\r\n')}\r\n\r\n${before}`);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += PIECE) {
    if (!socket.write(bytes.subarray(at, at + PIECE))) await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.write(after);
  await closed;
  return Number(answer.slice(9, 12));
}

/** Uploads `count` files at once; gives how often each status was answered. */
export async function flood(port: number, path: string, count: number, bytes: Buffer): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const one = async (_: unknown, i: number) => {
    const status = await upload(port, path, `flood-${i}`, bytes);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: count }, one));
  return statuses;
}
