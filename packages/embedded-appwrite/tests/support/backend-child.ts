/**
 * Runs an embedded backend on a loopback port in a child process, with Node's type stripping as in production.
 * The first argument contains the options as JSON. The process reports its port once it listens, and its memory on
 * request; it exits when its parent does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections, SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { createEmbeddedBackend } from '../../src/index.ts';
import type { BackendStart } from './fork-backend.ts';

const { port, options, ahead = 0 } = JSON.parse(process.argv[2] ?? '') as BackendStart;
if (ahead > 0) {
  const now = Date.now;
  Date.now = () => now() + ahead * 1000;
}
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
  // V8 keeps a dereferenced WeakRef target alive until the task ends, so a second collection is needed.
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
