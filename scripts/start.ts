/** `npm start`: builds when the sources changed, then serves in this process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, readConfiguration } from '#server/configuration.ts';
import { buildIsStale } from './build-stamp.ts';

try {
  readConfiguration();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exit(1);
}
if (buildIsStale()) {
  console.log('Building the site (only when its sources have changed) …');
  const result = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('The site could not be built. See what is said above.');
    process.exit(1);
  }
}
// React reads it when it is loaded: in its development form rendering costs a quarter more.
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', 'entry.mjs')).href);
