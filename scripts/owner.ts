/** `npm run owner -- EMAIL`: makes the account of an address an owner of the site, and prints a link to sign in with. */
import { createPeople } from '#backend/people/people.ts';
import { provision } from '#backend/provision.ts';
import { faultOf } from '#blog/errors.ts';
import { emailField } from '#blog/forms/sign-in-forms.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { ConfigurationError, readConfiguration } from '#server/configuration.ts';

const [address, ...more] = process.argv.slice(2);
const email = emailField.safeParse(address ?? '');
if (!email.success || more.length > 0) {
  console.error('Say whose account it is: npm run owner -- EMAIL');
  process.exit(1);
}
try {
  const configuration = readConfiguration();
  const link = await withBackend(configuration, async (access) => {
    const target = { ...configuration.appwrite, ...access };
    await provision(target, { writers: configuration.writers });
    const { siteUrl, writers } = configuration;
    return createPeople(target, { siteUrl, writers, published: async () => {} }).makeOwner(email.data);
  });
  console.log(`${email.data} owns the site. This link signs in once, within an hour:\n${link}`);
} catch (error) {
  const { message } = faultOf(error);
  console.error(error instanceof ConfigurationError ? error.message : message || error);
  process.exit(1);
}
