/** Signs a user in outside a browser. */
import { Account, AuthenticationFactor, Client } from 'appwrite';
import { faultOf } from '#blog/errors.ts';

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
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  };
  // The SDK stores the session in `window.localStorage` where it cannot use cookies.
  Object.assign(globalThis, { window: { localStorage, console: { warn: () => undefined } } });
  try {
    const client = new Client().setEndpoint(endpoint).setProject(projectId);
    // Response format of the oldest supported server. With a newer format, the SDK would log a warning on every call.
    client.headers['X-Appwrite-Response-Format'] = '1.9.5';
    const account = new Account(client);
    await account.createEmailPasswordSession({ email, password });
    await account.get().catch(async (error: unknown) => {
      if (faultOf(error).type !== 'user_more_factors_required') throw error;
      const { $id } = await account.createMFAChallenge({ factor: AuthenticationFactor.Totp });
      await account.updateMFAChallenge({ challengeId: $id, otp: await askCode() });
    });
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
  }
  const cookies = JSON.parse(stored.get('cookieFallback') ?? '{}') as Readonly<Record<string, string>>;
  const secret = cookies[`a_session_${projectId}`];
  if (!secret) throw new Error(`${endpoint} did not return the session.`);
  return secret;
}
