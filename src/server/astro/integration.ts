import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import type { AstroIntegration, HookParameters } from 'astro';
import type { EmbeddedBackend } from 'embedded-appwrite';
import type { Configuration } from '../configuration.ts';
import type { SiteContext } from './context.ts';

type ViteDevServer = HookParameters<'astro:server:setup'>['server'];

/** Returns the Node adapter with `entry` as the server, so that the page store, the backend and Astro share modules. */
export function nodeWithOwnEntry(entry: URL): AstroIntegration {
  const integration = node({ mode: 'standalone' });
  const done = integration.hooks['astro:config:done'];
  integration.hooks['astro:config:done'] = (parameters) =>
    done?.({
      ...parameters,
      setAdapter: (adapter) =>
        parameters.setAdapter({ ...adapter, serverEntrypoint: entry } as unknown as typeof adapter),
    });
  return integration;
}

/** Astro's development server reads a request's locals from this property. */
const LOCALS = Symbol.for('astro.locals');

/** Sets the pages' locals in `astro dev`, and serves `/v1` from a provisioned embedded backend. */
export function siteInDevelopment(): AstroIntegration {
  let running: EmbeddedBackend | undefined;
  let isDevelopment = false;
  return {
    name: 'common-ink:development',
    hooks: {
      // A build also starts a Vite server, but must not open the data folder, which a running site may be using.
      'astro:config:setup': ({ command }) => {
        isDevelopment = command === 'dev';
      },
      // Releases the data folder before Astro restarts with a changed configuration.
      'astro:server:done': () => running?.close(),
      'astro:server:setup': async ({ server }) => {
        if (!isDevelopment) return;
        const { readConfiguration } = await import('../configuration.ts');
        const configuration = readConfiguration();
        server.middlewares.use(withLocals(server, configuration));
        if (configuration.appwrite.endpoint) return;
        const { startEmbedded } = await import('../backend/embedded.ts');
        const { provisionSite } = await import('../backend/provision.ts');
        const backend = startEmbedded(configuration);
        running = backend;
        server.middlewares.use((request, response, next) =>
          request.url?.startsWith('/v1/') ? backend.handle(request, response) : next(),
        );
        server.httpServer?.on('upgrade', (request, socket, head) => {
          if (request.url?.startsWith('/v1/realtime')) backend.upgrade(request, socket, head);
        });
        server.httpServer?.once('listening', () => void provisionSite(configuration));
        // `astro:server:done` does not run on a signal.
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.once(signal, () => void backend.close().finally(() => process.exit(0)));
        }
      },
    },
  };
}

function withLocals(server: ViteDevServer, configuration: Configuration) {
  let languageSetBy: unknown;
  let made: { readonly by: unknown; readonly context: SiteContext } | undefined;
  // `ssrLoadModule` would load a second copy of our modules, whose error classes would differ from those in Astro's
  // pages.
  const { runner } = server.environments.ssr as unknown as { runner: { import(path: string): Promise<unknown> } };
  async function contextNow(): Promise<SiteContext> {
    const module = (name: string) => runner.import(fileURLToPath(new URL(name, import.meta.url)));
    const { setLanguage } = (await module(
      '../../blog/messages/language.ts',
    )) as typeof import('#blog/messages/language.ts');
    const { openContext } = (await module('./context.ts')) as typeof import('./context.ts');
    if (languageSetBy !== setLanguage) setLanguage(configuration.site.language);
    languageSetBy = setLanguage;
    if (made?.by !== openContext) made = { by: openContext, context: openContext(configuration) };
    return made.context;
  }
  return (request: IncomingMessage, _response: ServerResponse, next: (error?: unknown) => void): void => {
    contextNow()
      .then((context) => Reflect.set(request, LOCALS, { ...context }))
      .then(() => next(), next);
  };
}
