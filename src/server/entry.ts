/** The server: one process, one port. `/v1` is the backend; public pages come from the page store; the rest is Astro. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitConnections, SERVER_OPTIONS } from '#embedded/http/connections.ts';
import { startBackend } from './backend.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { openContext } from './context.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { openFormerAssets } from './former-assets.ts';
import { log } from './log.ts';
import { createRender } from './pages.ts';
import { provisionSite } from './provision.ts';
import { openPublishing } from './publishing.ts';
import { remoteFaults } from './remote-check.ts';
import { startFault } from './start-fault.ts';

// The adapter's own start is off: this module is the server.
process.env.ASTRO_NODE_AUTOSTART = 'disabled';
// As built, beside this module's folder.
const BUILT_ASSETS = join(dirname(fileURLToPath(import.meta.url)), '..', 'client', '_astro');
const { handler } = await import('@astrojs/node/server.js');

async function start(configuration: Configuration): Promise<void> {
  prepareDataDirectory(configuration.dataDirectory);
  const backend = startBackend(configuration);
  // Stored pages are served at once; one that must be rendered waits until the backend has its schema.
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  const renderNow = createRender(configuration.siteUrl);
  const publishing = openPublishing(configuration, (path) => ready.then(() => renderNow(path)));
  backend?.events?.listen(publishing.onEvent);
  openContext(configuration, publishing.locals);
  const formerAssets = openFormerAssets({
    built: BUILT_ASSETS,
    kept: join(configuration.dataDirectory, 'assets'),
    log,
  });

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (backend && request.url?.startsWith('/v1/')) return void backend.handle(request, response);
    if (publishing.frontDoor(request, response) || formerAssets(request, response)) return;
    void handler(request, response);
  };
  const server = createServer(SERVER_OPTIONS, answer);
  limitConnections(server, configuration);
  server.on('upgrade', (request, socket, head) => {
    if (backend && request.url?.startsWith('/v1/realtime')) backend.upgrade(request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(configuration.port, configuration.host, resolve);
  });

  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    // Requests under way get five seconds.
    const impatience = setTimeout(() => server.closeAllConnections(), 5000).unref();
    // Sockets would keep the server from ending.
    backend?.disconnect();
    server.closeIdleConnections();
    await new Promise((resolve) => server.close(resolve));
    clearTimeout(impatience);
    await backend?.close();
    await publishing.close();
    process.exit(0);
  };
  process.on('SIGINT', () => void end());
  process.on('SIGTERM', () => void end());

  if (configuration.appwrite.endpoint) for (const fault of await remoteFaults(configuration)) log('warn', fault);
  else await provisionSite(configuration);
  isReady();
  console.log(`Common Ink is ready: ${configuration.siteUrl}`);
}

let configuration: Configuration | undefined;
try {
  configuration = readConfiguration();
  await start(configuration);
} catch (error) {
  const sentence = startFault(error, configuration);
  if (sentence) console.error(sentence);
  else log('error', 'The server could not start.', error);
  process.exit(1);
}
