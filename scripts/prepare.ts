/** What comes before a server: ends with 1 when the settings cannot be used, builds when the sources changed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { StoreError } from 'embedded-appwrite';
import { ConfigurationError, readConfiguration } from '#server/configuration.ts';
import { buildIsStale } from './build-stamp.ts';
import { finishTakingBack } from './upgrade/taking-back.ts';

try {
  finishTakingBack(readConfiguration());
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof StoreError)) throw error;
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
