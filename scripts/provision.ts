/**
 * `npm run provision [-- --check]`: updates the backend's schema, and prints the changes. `--check` changes nothing,
 * and exits with 1 if the schema differs. `--map` and `--public` are for a collection that another program made
 * (docs/moving-from-megablog.md).
 */
import { parseFieldMap } from '#backend/foreign-blog/fields.ts';
import { provision } from '#backend/provision.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';

await runCommand(async () => {
  const usage = 'Usage: npm run provision [-- --check] [--map FIELD=ATTRIBUTE,…] [--public]';
  const { check, map, public: makePublic } = readArguments(usage, { check: FLAG, map: TEXT, public: FLAG }).values;
  const fields = parseFieldMap(map);
  const configuration = readConfiguration();
  const { appwrite, writers } = configuration;
  const changes = await withBackend(configuration, (access) =>
    provision({ ...appwrite, ...access }, { check, writers, fields, makePublic }),
  );
  for (const change of changes) console.log(check ? `differs: ${change.replace(/: created\b/, ': missing')}` : change);
  if (changes.length === 0) console.log('Nothing to change: the backend is set up correctly.');
  return check && changes.length > 0 ? 1 : 0;
});
