/**
 * Child process: one embedded backend on a loopback port, on Node's own type stripping as in service. Options come as
 * JSON in the first argument; it tells its port once it listens, its memory when asked, and ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections, SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { createEmbeddedBackend } from 'embedded-appwrite';
import type { BackendStart } from './backend-process.ts';

const { port, options } = JSON.parse(process.argv[2] ?? '') as BackendStart;
const backend = createEmbeddedBackend({
  ...options,
  log: (level, message, error) => {
    if (level === 'error') console.error(`embedded backend: ${message}`, error ?? '');
  },
});
const server = createServer(SERVER_OPTIONS, (request, response) => void backend.handle(request, response));
limitConnections(server);
server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
server.listen(port, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, routes: backend.routes });
});

process.on('message', () => {
  globalThis.gc?.();
  // What a WeakRef has shown is held until the task is over: only a second collection finds it.
  setImmediate(() => {
    globalThis.gc?.();
    process.send?.({ memory: process.memoryUsage() });
  });
});
process.on('disconnect', async () => {
  backend.disconnect();
  server.close();
  server.closeAllConnections();
  await backend.close();
  process.exit(0);
});
