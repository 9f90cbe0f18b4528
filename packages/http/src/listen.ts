import type { Server } from 'node:net';

/**
 * Node's default of 511 is too low when a thousand readers connect at once. Linux caps this value at
 * `net.core.somaxconn`.
 */
const BACKLOG = 4096;

/** Resolves once the server listens; port 0 picks a free port. Rejects with a system error such as EADDRINUSE. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
