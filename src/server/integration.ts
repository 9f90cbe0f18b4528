/** How Astro meets the server: our own entry in production, the backend on the same port in development. */
import node from '@astrojs/node';
import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
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

/** The React integration, with our own way of writing components into pages (`react-at-once.ts`). */
export function reactAtOnce(): AstroIntegration {
  const integration = react();
  const setup = integration.hooks['astro:config:setup'];
  integration.hooks['astro:config:setup'] = (parameters) =>
    setup?.({
      ...parameters,
      addRenderer: (renderer) =>
        parameters.addRenderer({ ...renderer, serverEntrypoint: new URL('./react-at-once.ts', import.meta.url) }),
    });
  return integration;
}

const DIGEST = 'async function generateCspDigest(data, algorithm) {';

/**
 * Astro works out the hash of each style and script that stands in a page anew for each render, in the thread pool, one
 * after the other. They are the same few texts each time.
 */
export function digestsOnce(): Plugin {
  return {
    name: 'common-ink:digests-once',
    apply: 'build',
    transform: {
      filter: { id: /\/astro\/dist\/core\/encryption\.js$/ },
      handler(code) {
        if (!code.includes(DIGEST)) this.error('Astro works out its hashes elsewhere: see digestsOnce.');
        const remembered = `const digests = new Map();
          function generateCspDigest(data, algorithm) {
            const key = algorithm + data;
            let digest = digests.get(key);
            if (!digest) {
              digest = digestOf(data, algorithm);
              if (digests.size >= 100) digests.clear();
              digests.set(key, digest);
            }
            return digest;
          }
          async function digestOf(data, algorithm) {`;
        return { code: code.replace(DIGEST, remembered), map: null };
      },
    },
  };
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
