/**
 * Child process: serves one embedded backend on a loopback port, with the options that the site gives it and those that
 * lines ask for. Its own process, because that is how it runs in service: on Node's own type stripping, with the tests'
 * work on another core. Options come as JSON in the first argument;
 * the port is told by message; it ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmbeddedBackend } from '#embedded/index.ts';
import { SERVER_OPTIONS } from '#http/limits/connection-limits.ts';
import { embeddedOptions } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import type { EmbeddedStart } from './server.ts';

const { port, options, ahead = 0 } = JSON.parse(process.argv[2] ?? '') as EmbeddedStart;
if (ahead > 0) {
  const now = Date.now;
  Date.now = () => now() + ahead * 1000;
}
const backend = createEmbeddedBackend({
  ...embeddedOptions(readConfiguration({ DATA_DIR: options.directory })),
  ...options,
  log: (level, message, error) => {
    if (level !== 'info') console.error(`embedded backend: ${message}`, error ?? '');
  },
});
const server = createServer(SERVER_OPTIONS, (request, response) => void backend.handle(request, response));
server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
server.listen(port, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await backend.close();
  process.exit(0);
});
