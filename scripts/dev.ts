/** `npm run dev`: the site with hot reload and the backend on the same port. */
import { dev } from 'astro';
import { ConfigurationError, readConfiguration } from '#server/configuration.ts';

process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.ASTRO_DEV_BACKGROUND = '0';
try {
  const { host, port } = readConfiguration();
  await dev({ server: { host, port }, vite: { server: { strictPort: true } } });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exit(1);
}
