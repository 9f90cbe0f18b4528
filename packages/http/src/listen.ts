import type { Server } from 'node:net';

/**
 * Connections that the system holds until the thread takes them; it cuts this to its own most (`net.core.somaxconn`).
 * Node's 511 overflows while one page is rendered for a thousand readers: each of them then waits a second for the
 * next try of its system, or is cut off.
 */
const BACKLOG = 4096;

/**
 * Lets `server` listen.
 * @param port 0 for one that is free.
 * @throws what the system says, as `EADDRINUSE`.
 */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
