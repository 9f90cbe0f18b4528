/**
 * `npm run provision [-- --check]`: brings the backend to the schema the product needs, and says what it changed.
 * With `--check` nothing is changed, and the exit code is 1 when something differs.
 */

import { parseArgs } from 'node:util';
import { provision } from '#backend/provision.ts';
import { faultOf } from '#blog/errors.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';

try {
  const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  const { appwrite, writers, ...rest } = readConfiguration();
  const changes = await withBackend({ ...rest, appwrite, writers }, (access) =>
    provision({ ...appwrite, ...access }, { check, writers }),
  );
  for (const change of changes) console.log(check ? `differs: ${change.replace(/: created\b/, ': missing')}` : change);
  if (changes.length === 0) console.log('Nothing to change: the backend is as it should be.');
  process.exitCode = check && changes.length > 0 ? 1 : 0;
} catch (error) {
  console.error(faultOf(error).message || error);
  process.exitCode = 1;
}
