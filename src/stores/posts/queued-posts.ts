import * as backend from '#backend/browser.ts';
import { isSignedOut } from '#blog/errors.ts';
import { currentSite } from '../site.ts';

/** Returns true if this user is signed in. Unlike `isSignedIn`, changes no state and throws if there is no response. */
export async function hasSession(userId: string): Promise<boolean> {
  try {
    return (await backend.sessionUser()).id === userId;
  } catch (error) {
    if (isSignedOut(error)) return false;
    throw error;
  }
}

/** Returns true if a post that this user can read has the slug. */
export const isTaken = async (slug: string): Promise<boolean> => (await backend.getPost(slug)) !== undefined;

/** Returns true if the backend does not respond. Sends HEAD, which no cache in this browser answers. */
export async function isCutOff(): Promise<boolean> {
  if (!navigator.onLine) return true;
  try {
    const { status } = await fetch(`${currentSite().endpoint}/account`, { method: 'HEAD', mode: 'no-cors' });
    return status >= 502 && status <= 504;
  } catch {
    return true;
  }
}
