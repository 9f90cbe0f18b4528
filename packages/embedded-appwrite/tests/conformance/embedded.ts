/** Serves one embedded backend as a child process, which runs on Node's own type stripping, as in production. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { createEmbeddedBackend } from '../../src/index.ts';
import type { EmbeddedStart } from './server.ts';

const { port, options, ahead = 0 } = JSON.parse(process.argv[2] ?? '') as EmbeddedStart;
if (ahead > 0) {
  const now = Date.now;
  Date.now = () => now() + ahead * 1000;
}
const backend = createEmbeddedBackend({
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
