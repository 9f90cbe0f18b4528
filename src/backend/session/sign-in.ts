/** Signs a user in outside a browser. */
import { Account, AppwriteException, AuthenticationFactor, Client } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { sessionOf } from '../verify-session.ts';

export interface SignInOptions {
  /** Absolute URL ending in `/v1`. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly email: string;
  readonly password: string;
  /** Returns a code from the authenticator app. Called only for accounts with a second factor. */
  readonly askCode: () => Promise<string>;
}

/** Returns the secret of a new session. @throws the SDK's error, such as 401 for a wrong password */
export async function signIn({ endpoint, projectId, email, password, askCode }: SignInOptions): Promise<string> {
  const client = new SignInClient();
  const account = new Account(client.setEndpoint(endpoint).setProject(projectId));
  await account.createEmailPasswordSession({ email, password });
  if (!client.session) throw new Error(`${endpoint} did not return the session.`);
  await account.get().catch(async (error: unknown) => {
    if (faultOf(error).type !== 'user_more_factors_required') throw error;
    const { $id } = await account.createMFAChallenge({ factor: AuthenticationFactor.Totp });
    await account.updateMFAChallenge({ challengeId: $id, otp: await askCode() });
  });
  return client.session;
}

/** Reads the session from the response's cookie, because the body contains it only if the request has a server key. */
class SignInClient extends Client {
  session: string | undefined;

  override async call(...[method, url, headers, params]: Parameters<Client['call']>): ReturnType<Client['call']> {
    const { uri, options } = this.prepareRequest(method, url, headers, params);
    // The cast is needed because the SDK's own `fetch` types differ for request bodies.
    const response = await fetch(uri, options as RequestInit);
    const cookie = response.headers.getSetCookie().map((each) => each.replace(/;.*/, ''));
    const session = sessionOf(new Headers({ cookie: cookie.join('; ') }), this.config.project);
    if (session) this.setSession(session);
    this.session ??= session;
    const answer = (await response.json()) as { readonly message?: string; readonly type?: string };
    if (response.ok) return answer;
    throw new AppwriteException(answer.message ?? '', response.status, answer.type);
  }
}
