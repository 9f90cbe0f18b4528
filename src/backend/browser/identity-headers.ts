import { connect } from './client.ts';

/**
 * Returns headers that identify the user to this site. With the backend under the site's `/v1` there are none: the
 * session is a cookie of the site. The site does not see the cookie of an Appwrite on another origin, so the headers
 * carry a token valid for 15 minutes.
 * @throws the SDK's error if the backend gives no token
 */
export async function identityHeaders(): Promise<Record<string, string>> {
  const { client, account } = connect();
  if (new URL(client.config.endpoint).origin === location.origin) return {};
  const { jwt } = await account.createJWT();
  return { 'X-Appwrite-JWT': jwt };
}
