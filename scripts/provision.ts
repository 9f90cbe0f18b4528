/**
 * `npm run provision [-- --check]`: updates the backend's schema, and prints the changes. `--check` changes nothing,
 * and exits with 1 if the schema differs.
 */
import { provision } from '#backend/provision.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { FLAG, readArguments, runCommand } from './command.ts';

await runCommand(async () => {
  const usage = 'Usage: npm run provision [-- --check]';
  const { check } = readArguments(usage, { check: FLAG }).values;
  const configuration = readConfiguration();
  const { appwrite, writers } = configuration;
  const changes = await withBackend(configuration, (access) =>
    provision({ ...appwrite, ...access }, { check, writers }),
  );
  for (const change of changes) console.log(check ? `differs: ${change.replace(/: created\b/, ': missing')}` : change);
  if (changes.length === 0) console.log('Nothing to change: the backend is set up correctly.');
  return check && changes.length > 0 ? 1 : 0;
});
