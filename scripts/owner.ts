/** `npm run owner -- EMAIL`: makes an account an owner of the site, and prints a sign-in link. */
import { createPeople } from '#backend/people/people.ts';
import { provision } from '#backend/provision.ts';
import { OperatorError } from '#blog/errors.ts';
import { emailField } from '#blog/forms/sign-in-forms.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { readArguments, runCommand } from './command.ts';

const USAGE = 'Name the owner’s account: npm run owner -- EMAIL';

await runCommand(async () => {
  const email = emailField.safeParse(readArguments(USAGE, {}, 1).positionals[0] ?? '');
  if (!email.success) throw new OperatorError(USAGE);
  const configuration = readConfiguration();
  const { siteUrl, writers } = configuration;
  const link = await withBackend(configuration, async (access) => {
    const target = { ...configuration.appwrite, ...access };
    await provision(target, { writers });
    return createPeople(target, { siteUrl, writers, published: async () => {} }).makeOwner(email.data);
  });
  console.log(`${email.data} owns the site. This link signs in once and expires in an hour:\n${link}`);
});
