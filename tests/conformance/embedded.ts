/**
 * Child process: serves one embedded backend on a loopback port. Its own process, because that is how it runs in
 * service: on Node's own type stripping, with the tests' work on another core. Options come as JSON in the first argument;
 * the port is told by message; it ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmbeddedBackend } from '#embedded/index.ts';
import { leave } from './mailbox.ts';
import type { EmbeddedStart } from './server.ts';

const { port, options, mailbox } = JSON.parse(process.argv[2] ?? '') as EmbeddedStart;
const backend = createEmbeddedBackend({
  ...options,
  ...(mailbox !== undefined && {
    sendInvitation: (mail) => leave(mailbox, mail),
    sendCode: (mail) => leave(mailbox, mail),
  }),
  log: (level, message, error) => {
    if (level !== 'info') console.error(`embedded backend: ${message}`, error ?? '');
  },
});
const server = createServer((request, response) => void backend.handle(request, response));
server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
server.listen(port, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await backend.close();
  process.exit(0);
});
