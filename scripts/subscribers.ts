/** `npm run subscribers -- forget ADDRESS`: deletes all newsletter data about an address. */
import { openSubscribers, subscriberId } from '#backend/newsletter/subscribers.ts';
import { OperatorError } from '#blog/errors.ts';
import { addressField } from '#blog/newsletter/subscriber-forms.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { readArguments, runCommand } from './command.ts';

const USAGE = 'Usage: npm run subscribers -- forget ADDRESS';

await runCommand(async () => {
  const [command, given = ''] = readArguments(USAGE, {}, 2).positionals;
  const address = addressField.safeParse(given);
  if (command !== 'forget' || !address.success) throw new OperatorError(USAGE);
  const configuration = readConfiguration();
  const isForgotten = await withBackend(configuration, (access) =>
    openSubscribers({ ...configuration.appwrite, ...access }).forget(subscriberId(address.data)),
  );
  console.log(isForgotten ? 'Everything about this address was deleted.' : 'The newsletter has no such address.');
});
