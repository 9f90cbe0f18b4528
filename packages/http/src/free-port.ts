import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range is below the ports for outgoing connections on Linux (from 32768), macOS and Windows (from 49152). */
const FIRST = 20_000;
const LAST = 32_767;

/** Returns a free loopback port that no other caller gets while this process runs. Rejects if listening fails. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (!(await claim(port))) continue;
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if (isTaken(error)) continue;
      throw error;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Reserves the port by binding it for UDP, so that other callers skip it. Returns false if it is already taken. */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    socket.unref();
    return true;
  } catch (error) {
    socket.close();
    if (isTaken(error)) return false;
    throw error;
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
