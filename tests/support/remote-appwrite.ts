/** The process behind `tests/e2e/remote.ts`. Its one argument holds its settings as JSON. */
import { createServer } from 'node:http';
import { createEmbeddedBackend } from 'embedded-appwrite';

const { port, directory, apiKey, projectId, webOrigins, mail } = JSON.parse(process.argv[2] ?? '{}');
const backend = createEmbeddedBackend({
  directory,
  projectId,
  keys: [{ secret: apiKey }],
  webOrigins,
  mail,
  rateLimits: false,
  // A real Appwrite requires the same (contract 3).
  passwordMinimum: 8,
});
const server = createServer(backend.handle).on('upgrade', backend.upgrade);
server.listen(port, () => console.log('listening'));
process.once('SIGTERM', async () => {
  backend.disconnect();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await backend.close();
  process.exit(0);
});
