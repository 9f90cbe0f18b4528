/**
 * Serves the site in one process on one port: the backend at `/v1`, public pages from the store, the rest from Astro.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitConnections, SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { listen } from '@common-ink/http/listen.ts';
import { filesBelow, serveStaticFiles } from '@common-ink/http/static-files.ts';
import { isValidRequest, withReadableQuery } from '@common-ink/http/validate-request.ts';
import { ownDirectory } from 'embedded-appwrite';
import { setLanguage } from '#blog/messages/language.ts';
import { ADD_POST, WORKER } from '#blog/routes/paths.ts';
import { securityHeaders } from '#blog/routes/security-headers.ts';
import { openFastPath } from '#page-store/fast-path.ts';
import type { Redirects } from '#redirects/redirects-file.ts';
import { openContext } from './astro/context.ts';
import { readIslandScripts } from './astro/island-scripts.ts';
import { openPages, type PageLocals } from './astro/pages.ts';
import { startBackend } from './backend/backend.ts';
import { embeddedState } from './backend/embedded.ts';
import { provisionSite } from './backend/provision.ts';
import { createBackendProbe, remoteFaults } from './backend/remote-check.ts';
import { commandFile } from './command-file.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { BAD_REQUEST, rawFailure } from './gateway/failure.ts';
import { openImports } from './imports/imports.ts';
import type { RepeatedJob } from './jobs/every.ts';
import { type ScheduledBackups, scheduleBackups } from './jobs/scheduled-backups.ts';
import { keepSwept } from './jobs/sweep.ts';
import { openSync } from './jobs/sync-on-request.ts';
import { openAssets } from './kept-assets.ts';
import { captureConsole, configureLog, log, say, surviveFullLog, withRequestId } from './log/log.ts';
import { kindOf } from './metrics/request-metrics.ts';
import { SiteMetrics } from './metrics/site-metrics.ts';
import { openNewsletter } from './newsletter/newsletter.ts';
import { offerOwnership } from './owner-token.ts';
import { createProbes, type Probes } from './probes.ts';
import { openPublishing } from './publishing.ts';
import { type Shutdown, shutDownOnSignal } from './shutdown.ts';
import { openSiteSettings } from './site/site-settings.ts';
import { startFault } from './start-fault.ts';
import { openTextWorker } from './texts/worker.ts';

async function start(configuration: Configuration, module: URL): Promise<void> {
  prepareDataDirectory(configuration.dataDirectory);
  // Undefined with a remote Appwrite, whose data may change while this server is down.
  const storedState = () => (configuration.appwrite.endpoint ? undefined : embeddedState(configuration.dataDirectory));
  // With a remote Appwrite, claims the page folder. The embedded backend claims its own folder.
  const owner = configuration.appwrite.endpoint ? ownDirectory(configuration.publishing.directory) : undefined;
  const state = storedState();
  const metrics = new SiteMetrics();
  const backend = startBackend(configuration, () => settings.now());
  // Renders wait until the backend has its schema; stored pages are served immediately.
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  const folder = join(dirname(fileURLToPath(module)), '..');
  const textTasks = openTextWorker(module);
  let shutdown: Shutdown | undefined;
  const portNow = () => shutdown?.backendPort;
  const settings = openSiteSettings(configuration, portNow, () => newsletter?.look());
  // The language is global to the process (docs/decisions/002-rooms-and-no-globals.md).
  setLanguage(settings.now().site.language);
  const context = openContext(configuration, {
    isToldOfWrites: true,
    islandScripts: readIslandScripts(folder),
    textTasks,
    observeCall: metrics.observeCall,
    portNow,
    isStored: (path) => publishing.locals.explain(path) !== undefined,
  });
  const pages = openPages();
  const publishing = openPublishing(configuration, {
    reader: context.reader,
    redirects: context.redirects,
    render: (path) => ready.then(() => pages.render(path, locals)),
    state,
    hasRoom: backend.hasRoom,
    observeVisible: (seconds) => metrics.visible.observe(seconds),
    portNow,
    settings,
  });
  const imports = openImports({
    dataDirectory: configuration.dataDirectory,
    script: commandFile(folder, 'import'),
    hasRoom: backend.hasRoom ?? (() => true),
    log,
  });
  const { syncDirectory } = configuration.publishing;
  const newsletter = openNewsletter(configuration, { appearance: () => settings.now(), log });
  const ofOwners = settings.forOwners((path, { site, theme }) => pages.render(path, { ...locals, site, theme }));
  const locals: PageLocals = {
    ...context,
    get site() {
      return settings.now().site;
    },
    get theme() {
      return settings.now().theme;
    },
    publishing: {
      ...publishing.locals,
      ...{ imports, settings: ofOwners, newsletter: newsletter?.service },
      sync: syncDirectory ? openSync(commandFile(folder, 'sync'), syncDirectory) : undefined,
      async revalidate(request) {
        const report = await publishing.locals.revalidate(request);
        newsletter?.look();
        return report;
      },
    },
  };
  backend.events?.listen(publishing.onEvent);
  const { collectionId } = configuration.appwrite;
  backend.events?.listen(({ events: [name = ''] }) => {
    if (NEW_SESSION.test(name)) metrics.signIns++;
    if (OF_DOCUMENT.exec(name)?.[1] === collectionId) newsletter?.look();
  });
  const built = join(folder, 'client', '_astro');
  const kept = join(configuration.dataDirectory, 'assets');
  const assets = openAssets({ built, compressed: join(folder, 'compressed'), kept, log });
  const staticFiles = serveStaticFiles(new Map([...configuration.siteFile.files, ...assets]));
  const publicFiles = servePublicFiles(join(folder, 'client'));

  const headersOf = securityHeaders(configuration.siteUrl);
  let isStarted = false;
  const probes: Probes = createProbes({
    isDraining: () => shutdown?.isDraining ?? false,
    isStarted: () => isStarted,
    backendState: createBackendProbe(configuration),
    dataDirectory: configuration.dataDirectory,
    hasRoom: backend.hasRoom ?? (() => true),
    damage: backend.damage ?? (() => undefined),
    metricsToken: configuration.metricsToken,
    metrics: metrics.open({
      configuration,
      build: import.meta.env.BUILD_ID,
      pages: publishing.statistics,
      fastPath: () => fastPath?.counts,
      backend: backend.statistics,
      isBackendUp: () => probes.isBackendUp(),
    }),
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of headersOf(request.url ?? '')) response.setHeader(name, value);
    if (!isValidRequest(request)) {
      publishing.refuse(response, 400);
      return;
    }
    if (probes.handle(request, response)) return;
    if (backend && request.url?.startsWith('/v1/')) return void backend.handle(request, response);
    if (publishing.handlePage(request, response)) return;
    if (request.method === 'POST' && request.url === ADD_POST) {
      refuseShare(request, response);
      return;
    }
    if (!isAnswered(request)) {
      response.setHeader('Allow', isForEndpoint(request) ? 'GET, HEAD, POST' : 'GET, HEAD');
      publishing.refuse(response, 405);
      return;
    }
    // The API would call the backend through the site's own port, which is already closed.
    if (shutdown?.isClosing && !configuration.appwrite.endpoint && needsKey(request)) {
      sayLater(request, response);
      return;
    }
    if (staticFiles(request, response) || publicFiles(request, response)) return;
    request.url = withReadableQuery(request.url ?? '/');
    whole(request, context.redirects)
      .then(() => pages.handle(request, response, locals))
      .catch((error: unknown) => {
        if (response.writableEnded) return;
        log('error', `${request.method} ${request.url?.split('?', 1)[0]} failed.`, error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'Cache-Control': 'no-store' }).end();
      });
  };
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    shutdown?.admit(request, response);
    metrics.requests.begin(kindOf(request.url ?? ''), response);
    withRequestId(request, response, answer);
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isValidRequest(request)) {
      socket.on('error', () => socket.destroy()).end(rawFailure(BAD_REQUEST));
      return;
    }
    if (backend && request.url?.startsWith('/v1/realtime')) backend.upgrade(request, socket, head);
    else socket.destroy();
  });
  const fastPath = configuration.fastPath
    ? openFastPath(server, {
        ...SERVER_OPTIONS,
        commonHeaders: headersOf('/'),
        currentVariant: publishing.currentVariant,
      })
    : undefined;
  limitConnections(server, configuration);
  await listen(server, configuration.port, configuration.host);

  let sweeping: RepeatedJob | undefined;
  let backups: ScheduledBackups;
  shutdown = shutDownOnSignal({
    server,
    fastPath,
    backend: (request, response) => void backend.handle(request, response),
    idle: async () => {
      void sweeping?.stop();
      await Promise.all([publishing.idle(), newsletter?.stop(), backups?.close(), imports?.close()]);
    },
    disconnect: () => backend.disconnect(),
    close: async () => {
      await backend.close();
      await publishing.close(storedState());
      await textTasks.close();
      owner?.release();
    },
  });

  /** Ignores errors from a startup interrupted by a signal, because the next start provisions again. */
  const unlessDraining = (error: unknown) => {
    // A damaged database has already been logged, and stored pages can be served without it.
    if (!shutdown?.isDraining && !backend.damage?.()) throw error;
  };
  if (configuration.appwrite.endpoint) for (const fault of await remoteFaults(configuration)) log('warn', fault);
  else await provisionSite(configuration).catch(unlessDraining);
  await publishing.readSettings();
  isReady();
  if (!shutdown.isDraining) await publishing.removeGone();
  isStarted = true;
  await backend.checked;
  sweeping = keepSwept(configuration);
  if (!shutdown.isDraining) {
    publishing.keepSchedule();
    newsletter?.start();
    const script = commandFile(folder, 'backup');
    backups = scheduleBackups({ configuration, script, log });
  }
  for (const warning of configuration.siteFile.warnings) log('warn', warning);
  say('info', `Common Ink is ready: ${configuration.siteUrl}`);
  // The page modules are loaded once the site is ready, because loading them takes as long as the rest of the startup.
  try {
    await pages.load();
    log('info', 'Every page is loaded. It is now safe to run a new build.');
  } catch (error) {
    log('warn', 'Some pages could not be loaded. If the site was built again meanwhile, restart the server.', error);
  }
  // Printed last, so that it is not overlooked. Skipped if the database is damaged: the owner may be missing from it.
  if (!shutdown.isDraining && !backend.damage?.()) await offerOwnership(configuration, publishing.locals);
}

const OF_DOCUMENT = /^databases\.[^.]+\.collections\.([^.]+)\.documents\./;
const NEW_SESSION = /^users\.[^.*]+\.sessions\.[^.*]+\.create$/;

const isForEndpoint = ({ url = '' }: IncomingMessage): boolean => /^\/api\//.test(url);

const needsKey = (request: IncomingMessage): boolean =>
  request.method === 'POST' && isForEndpoint(request) && !/^\/api\/revalidate(?:\?|$)/.test(request.url ?? '');

/** Responds with 503 once the entire body has been read. An earlier response may be lost with the connection. */
function sayLater(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once('end', () => {
    if (response.headersSent) return;
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Retry-After': '5' };
    response.writeHead(503, headers).end('{"error":"The server is shutting down. Try again in a few seconds."}');
  });
}

/** Redirects to an error notice, because no service worker has stored the content that was shared with the app. */
function refuseShare(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once('end', () => {
    response.writeHead(303, { Location: `${ADD_POST}?share-failed`, 'Cache-Control': 'no-store' }).end();
  });
}

/** Returns true if the method is allowed. Pages and files are read-only, and Astro fails on TRACE. */
function isAnswered(request: IncomingMessage): boolean {
  const { method } = request;
  return method === 'GET' || method === 'HEAD' || (isForEndpoint(request) && method !== 'TRACE');
}

/** Removes the trailing slash from an old address. Otherwise Astro would redirect it before the site can look it up. */
async function whole(request: IncomingMessage, redirects: Redirects): Promise<void> {
  const { url = '', method } = request;
  if (!/.\/(?:\?|$)/.test(url) || (method !== 'GET' && method !== 'HEAD')) return;
  if ((await redirects.targetOf(url)) !== undefined) request.url = url.replace(/\/+(?=\?|$)/, '');
}

function servePublicFiles(client: string) {
  const names = filesBelow(client).filter((name) => !name.startsWith('_astro/'));
  const files = new Map(names.map((name) => [`/${name}`, { paths: [join(client, name)] }]));
  const worker = files.get(WORKER);
  files.delete(WORKER);
  // Proxies must not cache an old service worker.
  const asWorker = serveStaticFiles(new Map(worker && [[WORKER, worker]]), 'no-cache');
  const asFile = serveStaticFiles(files, 'public, max-age=3600');
  return (request: IncomingMessage, response: ServerResponse) =>
    asWorker(request, response) || asFile(request, response);
}

/** Starts the server, or exits with 1. @param module the entry, which worker threads run as well */
export async function runServer(module: URL): Promise<void> {
  surviveFullLog();
  captureConsole();
  process.on('unhandledRejection', (reason) => log('error', 'A background task failed.', reason));
  let configuration: Configuration | undefined;
  try {
    configuration = readConfiguration();
    configureLog(configuration.log);
    await start(configuration, module);
  } catch (error) {
    const sentence = startFault(error, configuration);
    if (sentence) say('error', sentence);
    else log('error', 'The server could not start.', error);
    process.exit(1);
  }
}
