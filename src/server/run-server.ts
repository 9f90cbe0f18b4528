/** The server: one process, one port. `/v1` is the backend; public pages come from the page store; the rest is Astro. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitConnections, limitsOfOne, SERVER_OPTIONS } from '#embedded/http/connections.ts';
import { startBackend } from './backend.ts';
import { serveBuiltAssets } from './built-assets.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { openContext, siteContext } from './context.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { embeddedState } from './embedded.ts';
import { openFormerAssets } from './former-assets.ts';
import { readIslandScripts } from './island-scripts.ts';
import { type Lane, openLane } from './lane.ts';
import { log } from './log.ts';
import { openPages } from './pages.ts';
import { provisionSite } from './provision.ts';
import { openPublishing, type Publishing } from './publishing.ts';
import { remoteFaults } from './remote-check.ts';
import { serveSiteFiles } from './serve-site-files.ts';
import { startFault } from './start-fault.ts';
import { keepSwept } from './sweep.ts';
import { isAnswered, isForEndpoint, isUnderstood, withReadableQuery } from './understood.ts';
import { openFinisher } from './workers/finisher.ts';
import { adopt } from './workers/pass-on.ts';
import { type Readers, startReaders } from './workers/readers.ts';

const { handler } = await import('@astrojs/node/server.js');

async function start(given: Configuration, module: URL): Promise<void> {
  prepareDataDirectory(given.dataDirectory);
  const { workers } = given;
  // Behind threads the site reaches its own backend by a door of its own: what it renders with need not go through them.
  const inner = createServer(SERVER_OPTIONS, (request, response) => answer(request, response));
  const configuration = workers > 1 ? await reachedThrough(inner, given) : given;
  // A real Appwrite changes while nobody here listens.
  const backendState = () => (configuration.appwrite.endpoint ? undefined : embeddedState(configuration.dataDirectory));
  const state = backendState();
  const backend = startBackend(configuration);
  // Stored pages are served at once; one that must be rendered waits until the backend has its schema.
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  const pages = openPages(configuration.siteUrl);
  const finisher = openFinisher(module);
  const publishing = openPublishing(configuration, (path) => ready.then(() => pages.render(path)), finisher, state);
  backend?.events?.listen(publishing.onEvent);
  // As built, beside the folder of the module that was started.
  const folder = join(dirname(fileURLToPath(module)), '..');
  openContext(configuration, publishing.locals, readIslandScripts(folder));
  const built = join(folder, 'client', '_astro');
  const kept = join(configuration.dataDirectory, 'assets');
  const formerAssets = openFormerAssets({ built, kept, log });
  const builtAssets = serveBuiltAssets(built, join(folder, 'compressed'), kept);

  const siteFiles = serveSiteFiles(configuration.siteFile.files);

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isUnderstood(request)) {
      publishing.refuse(response, 400);
      return;
    }
    if (backend && request.url?.startsWith('/v1/')) return void backend.handle(request, response);
    if (publishing.frontDoor(request, response)) return;
    if (!isAnswered(request)) {
      response.setHeader('Allow', isForEndpoint(request) ? 'GET, HEAD, POST' : 'GET, HEAD');
      publishing.refuse(response, 405);
      return;
    }
    if (builtAssets(request, response) || siteFiles(request, response) || formerAssets(request, response)) return;
    request.url = withReadableQuery(request.url ?? '/');
    void whole(request).then(() => handler(request, response));
  };
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (workers > 1) adopt(request);
    answer(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    if (workers > 1) adopt(request);
    if (backend && request.url?.startsWith('/v1/realtime')) backend.upgrade(request, socket, head);
    else socket.destroy();
  });
  const { readers, lane } = await listen(server, configuration, publishing, module);

  let stopSweeping = () => {};
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    stopSweeping();
    // Requests under way get five seconds.
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const impatience = setTimeout(() => {
      isEnough();
      server.closeAllConnections();
      lane?.closeAll();
    }, 5000).unref();
    // A page that is being rendered asks the backend, which may be behind this very server.
    await Promise.race([publishing.rest(), enough]);
    // Sockets would keep the server from ending.
    backend?.disconnect();
    await readers?.close();
    lane?.close();
    server.closeIdleConnections();
    await new Promise((resolve) => server.close(resolve));
    inner.closeAllConnections();
    inner.close();
    clearTimeout(impatience);
    await backend?.close();
    await publishing.close(backendState());
    await finisher.close();
    process.exit(0);
  };
  process.on('SIGINT', () => void end());
  process.on('SIGTERM', () => void end());

  if (configuration.appwrite.endpoint) for (const fault of await remoteFaults(configuration)) log('warn', fault);
  else await provisionSite(configuration);
  isReady();
  stopSweeping = keepSwept(configuration);
  for (const warning of configuration.siteFile.warnings) log('warn', warning);
  console.log(`Common Ink is ready: ${configuration.siteUrl}`);
  // Nobody waits for this: it takes as long as all of the start.
  try {
    await pages.load();
    log('info', 'Every page is loaded: a new build may take the place of this one.');
  } catch (error) {
    log('warn', 'Some pages could not be loaded. Was the site built anew meanwhile? Then restart the server.', error);
  }
}

/**
 * Astro sends an address with a slash at its end to the one without, before it is known what has moved: whoever comes by
 * an old address is spared that step.
 */
async function whole(request: IncomingMessage): Promise<void> {
  const { url = '', method } = request;
  if (!/.\/(?:\?|$)/.test(url) || (method !== 'GET' && method !== 'HEAD')) return;
  if ((await siteContext().moved.targetOf(url)) !== undefined) request.url = url.replace(/\/+(?=\?|$)/, '');
}

/** The same settings with the backend, if it is the embedded one, under a loopback address of `server`. */
async function reachedThrough(server: Server, configuration: Configuration): Promise<Configuration> {
  const { appwrite } = configuration;
  if (appwrite.endpoint) return configuration;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { ...configuration, appwrite: { ...appwrite, serverEndpoint: `http://127.0.0.1:${port}/v1` } };
}

/** Readers come to this thread, or to threads of their own, which it then gives. */
async function listen(
  server: Server,
  configuration: Configuration,
  { plain, lending }: Publishing,
  module: URL,
): Promise<{ readonly readers?: Readers; readonly lane?: Lane }> {
  const { host, port, workers, trustedProxies } = configuration;
  if (workers > 1) {
    const limits = { trustedProxies, ...limitsOfOne(workers) };
    const { stamps, memoryBytes, answer } = lending;
    const thread = { host, port, stamps, memoryBytes, limits };
    return { readers: await startReaders({ count: workers, module, thread, site: server, answer }) };
  }
  const lane = openLane(server, plain);
  limitConnections(server, configuration);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { lane };
}

/** Starts the server; `module` runs a reader thread when it is loaded in one. Ends the process when that fails. */
export async function runServer(module: URL): Promise<void> {
  let configuration: Configuration | undefined;
  try {
    configuration = readConfiguration();
    await start(configuration, module);
  } catch (error) {
    const sentence = startFault(error, configuration);
    if (sentence) console.error(sentence);
    else log('error', 'The server could not start.', error);
    process.exit(1);
  }
}
