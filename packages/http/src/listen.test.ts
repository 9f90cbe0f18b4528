import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

/** Milliseconds after which a system tries again to open a connection that found no place (RFC 6298, 2.1). */
const NEXT_TRY = 1000;

/** What the system holds at most, whatever a server asks for; elsewhere than on Linux it is seldom more than 128. */
function systemBacklog(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 128;
  }
}

test.skipIf(systemBacklog() < 1000)(
  'a thousand connections that come while the thread is busy are all taken, none at the second try',
  // A machine with other work may take a second for them by itself; a line that is too short fails each time.
  { retry: 2 },
  async () => {
    const server = createServer();
    await listen(server, 0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const begun = performance.now();
    // No turn of the loop between the first and the last: the server takes none before all have come.
    const sockets: Socket[] = Array.from({ length: 1000 }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(performance.now() - begun).toBeLessThan(NEXT_TRY);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  },
);

test('a port that somebody has is an error with its name', async () => {
  const server = createServer();
  await listen(server, 0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  await expect(listen(createServer(), port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => server.close(resolve));
});
