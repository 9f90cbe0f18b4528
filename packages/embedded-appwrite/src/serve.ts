/**
 * Serves only the backend on a port, for tests and tutorials. The package's README explains the environment variables.
 */
import { createServer } from 'node:http';
import { SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { listen } from '@common-ink/http/listen.ts';
import { createEmbeddedBackend } from './index.ts';

const { APPWRITE_PROJECT_ID: projectId = 'default', APPWRITE_API_KEY: apiKey, DATA_DIR: directory } = process.env;
const port = Number(process.env.PORT ?? 8090);

if (!apiKey || !directory) {
  console.error('Set APPWRITE_API_KEY to a secret of your choice and DATA_DIR to a folder for the data.');
  process.exit(1);
}

const backend = createEmbeddedBackend({
  directory,
  projectId,
  keys: [{ secret: apiKey }],
  webOrigins: ['*'],
  log: (level, message, error) => console[level === 'info' ? 'log' : level](message, error ?? ''),
});
const server = createServer(SERVER_OPTIONS, (request, response) => backend.handle(request, response));
server.on('upgrade', (request, socket, head) => backend.upgrade(request, socket, head));
await listen(server, port, '127.0.0.1');
console.log(`Project "${projectId}" at http://127.0.0.1:${port}/v1`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    backend.disconnect();
    server.close();
    server.closeAllConnections();
    await backend.close();
    process.exit(0);
  });
}
