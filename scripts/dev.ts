/**
 * `npm run dev`: serves the site with hot reload and the backend on the same port. Pages are rendered for each request.
 * `npm run dev -- --store` serves the built site with stored pages, and rebuilds it after each change.
 */
import { parseArgs } from 'node:util';
import { dev } from 'astro';
import { OperatorError } from '#blog/errors.ts';
import { readConfiguration } from '#server/configuration.ts';
import { serveBuilt } from './dev/serve-built.ts';

const { values } = parseArgs({ options: { store: { type: 'boolean', default: false } } });
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.ASTRO_DEV_BACKGROUND = '0';
try {
  const { host, port } = readConfiguration();
  if (values.store) await serveBuilt();
  // Uses a separate cache. In a shared one, a build would replace the modules that open pages have loaded.
  else
    await dev({ server: { host, port }, vite: { cacheDir: 'node_modules/.vite-dev', server: { strictPort: true } } });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(1);
}
