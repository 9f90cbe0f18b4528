/** Signs users in and out in this browser (spec 4, 7, 8). */

import { ID, type Models } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import type { LoginForm } from '#blog/forms/sign-in-forms.ts';
import { errorText } from '#blog/messages.ts';
import type { User } from '#blog/user.ts';
import { unless } from '../unless.ts';
import { connect, logged } from './client.ts';

/** Returns the signed-in user; null for a guest or if the backend does not respond. Never throws. */
export async function currentUser(): Promise<User | null> {
  try {
    return await sessionUser();
  } catch (error) {
    const { code, type } = faultOf(error);
    if (code === 401 || type === 'general_unauthorized_scope') {
      console.info(errorText.guest);
      await dropStored();
    } else console.error('currentUser:', error);
    return null;
  }
}

/** Deletes the responses that the service worker has stored for users other than `userId`. */
export async function dropStored(userId?: string): Promise<void> {
  // Browsers offer no `caches` over plain HTTP, and deny access to them in some private windows.
  for (const name of (await globalThis.caches?.keys().catch(() => [])) ?? [])
    if (name.startsWith('common-ink:user') && name.split(':')[3] !== userId) await caches.delete(name);
}

/** Returns the signed-in user. @throws the SDK's error: 401 for a guest */
export const sessionUser = async (): Promise<User> => userOf(await connect().account.get());

export const userOf = ({ $id, email, name }: Models.User): User => ({ id: $id, email, name });

/** Signs the user in. If the browser already has a session, returns that session's user instead. */
export function logIn({ email, password }: LoginForm): Promise<User> {
  return logged('logIn', async () => {
    await openSession(email, password);
    // Rethrows the error only if the session still needs its second factor.
    const user = await sessionUser().catch((error: unknown) => {
      if (faultOf(error).type === 'user_more_factors_required') throw error;
    });
    if (!user) throw new Error(errorText.loginWithoutUser);
    return user;
  });
}

/**
 * Signs the author of an open form back in after their session has ended. Ends another user's session in this browser.
 * @throws the SDK's error, or an Error with a message for the user if `form` signs in another account
 */
export function logInAgain(form: LoginForm, userId: string): Promise<User> {
  return logged('logInAgain', async () => {
    const present = await currentUser();
    if (present && present.id !== userId) await connect().account.deleteSession({ sessionId: 'current' });
    const user = present?.id === userId ? present : await logIn(form);
    if (user.id !== userId) throw new Error(errorText.otherAccount);
    return user;
  });
}

/** Creates an account and signs in, ending any other user's session in this browser. */
export function signUp(form: LoginForm & { readonly name: string }): Promise<User> {
  return logged('signUp', async () => {
    const { name, email, password } = form;
    const { account } = connect();
    const { $id } = await account.create({ userId: ID.unique(), email, password, name });
    if (!(await openSession(email, password)) && (await currentUser())?.id !== $id) {
      await account.deleteSession({ sessionId: 'current' });
      await openSession(email, password);
    }
    const user = await currentUser();
    if (!user) throw new Error(errorText.signupWithoutUser);
    return user;
  });
}

export function logOut(): Promise<void> {
  return logged('logOut', async () => {
    await connect().account.deleteSessions();
  });
}

async function openSession(email: string, password: string): Promise<boolean> {
  const opened = connect().account.createEmailPasswordSession({ email, password });
  return (await unless('user_session_already_exists', opened)) !== undefined;
}
