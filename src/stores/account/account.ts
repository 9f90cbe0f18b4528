/** The signed-in user's own account. What changes is at once what all islands of the page, and readers, see. */

import * as backend from '#backend/browser.ts';
import type { EmailForm, NameForm, PasswordForm } from '#blog/forms/account-forms.ts';
import type { User } from '#blog/user.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { revalidateAuthor } from '../posts/revalidation.ts';
import { signedIn, signedOut } from './auth.ts';

export type { OwnSession } from '#backend/browser.ts';

const account = () => importWithRetry(backend.importAccount);

/** Changes the password and ends all other sessions. Throws what the backend threw. */
export const changePassword = async (form: PasswordForm): Promise<void> => (await account()).changePassword(form);

/** Where the user is signed in: this browser first, then the newest. */
export const ownSessions = async (): Promise<backend.OwnSession[]> => (await account()).ownSessions();

/** Ends a session. One that has ended already is no failure. */
export const endSession = async (sessionId: string): Promise<void> => (await account()).endSession(sessionId);

/** Ends every session of the user but this browser's. */
export const endOtherSessions = async (): Promise<void> => (await account()).endOtherSessions();

/** Resolves when every page that names the user is outdated. Throws what the backend threw. */
export async function changeName(form: NameForm): Promise<void> {
  signedIn(await (await account()).changeName(form));
  await revalidateAuthor();
}

/** Throws what the backend threw. */
export async function changeEmail(form: EmailForm): Promise<void> {
  signedIn(await (await account()).changeEmail(form));
}

/** Everything of the user's as one zip file; it is put together by a part that is loaded when it is wanted. */
export async function ownArchive(user: User, onProgress: (posts: number) => void): Promise<backend.OwnArchive> {
  const part = await importWithRetry(backend.importOwnArchive);
  return part.ownArchive(user, onProgress);
}

/** What became of deleting one's account. */
export type Deletion = 'deleted' | 'wrong-password' | 'last-owner' | 'nobody-to-take-them';

const REFUSALS: Readonly<Record<string, Deletion>> = {
  'last-owner': 'last-owner',
  'not-found': 'nobody-to-take-them',
};

/**
 * Deletes the account of the signed-in user; the posts go as well, or to an owner of the site. They are a guest afterwards.
 * @throws Error with the server's words.
 */
export async function deleteAccount(password: string, posts: 'delete' | 'hand-over'): Promise<Deletion> {
  const response = await fetch('/api/account/delete', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await backend.identityHeaders()) },
    body: JSON.stringify({ password, posts }),
  });
  if (response.status === 422 || response.status === 404) {
    const { error = '' } = (await response.json()) as { readonly error?: string };
    return REFUSALS[error] ?? 'wrong-password';
  }
  if (!response.ok) throw Object.assign(new Error('deleteAccount'), { code: response.status });
  signedOut();
  return 'deleted';
}
