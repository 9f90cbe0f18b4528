/** How this site's own server learns who calls it. */

import { connect } from './client.ts';

/**
 * Headers for a call to this site. Where the backend answers under the site's `/v1` none are needed: the session is a
 * cookie of the site. Where the browser goes to an Appwrite of another origin, that cookie is not the site's to see,
 * and a token of a quarter of an hour takes its place.
 * @throws the SDK's error when the backend gives no token.
 */
export async function identityHeaders(): Promise<Record<string, string>> {
  const { client, account } = connect();
  if (new URL(client.config.endpoint).origin === location.origin) return {};
  const { jwt } = await account.createJWT();
  return { 'X-Appwrite-JWT': jwt };
}
