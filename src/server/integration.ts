/** How Astro meets the server: our own entry in production, the backend on the same port in development. */
import node from '@astrojs/node';
import type { AstroIntegration } from 'astro';
import type { EmbeddedBackend } from '#embedded/index.ts';

/**
 * The Node adapter with `entry` as the server: one module graph for the page store, the backend and Astro, so that
 * they share their state. `entry` starts the server when it is loaded.
 */
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

/** `astro dev` answers `/v1` by the embedded backend, provisioned as at a first start. */
export function backendInDevelopment(): AstroIntegration {
  let running: EmbeddedBackend | undefined;
  return {
    name: 'common-ink:backend',
    hooks: {
      // Before a restart for a changed configuration: the data folder has one owner at a time.
      'astro:server:done': () => running?.close(),
      'astro:server:setup': async ({ server }) => {
        const { readConfiguration } = await import('./configuration.ts');
        const configuration = readConfiguration();
        if (configuration.appwrite.endpoint) return;
        const { startEmbedded } = await import('./embedded.ts');
        const { provisionSite } = await import('./provision.ts');
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
