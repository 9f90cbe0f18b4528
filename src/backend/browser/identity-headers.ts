/** How this site's own server learns who calls it. */

import { connect } from './client.ts';

/**
 * Returns headers for a call to this site. With the backend under the site's `/v1` there are none: the session is a cookie
 * of the site. The site does not see the cookie of an Appwrite of another origin, so a token valid for 15 minutes is sent.
 * @throws the SDK's error when the backend gives no token.
 */
export async function identityHeaders(): Promise<Record<string, string>> {
  const { client, account } = connect();
  if (new URL(client.config.endpoint).origin === location.origin) return {};
  const { jwt } = await account.createJWT();
  return { 'X-Appwrite-JWT': jwt };
}
