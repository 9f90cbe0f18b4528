/** The signed-in user's own account. Functions rethrow backend errors. */

import * as backend from '#backend/browser.ts';
import type { EmailForm, NameForm, PasswordForm } from '#blog/forms/account-forms.ts';
import type { User } from '#blog/user.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { revalidateAuthor } from '../posts/revalidation.ts';
import { signedIn, signedOut } from './auth.ts';

export type { OwnSession } from '#backend/browser.ts';

const account = () => importWithRetry(backend.importAccount);

/** Changes the password and ends all other sessions. */
export const changePassword = async (form: PasswordForm): Promise<void> => (await account()).changePassword(form);

/** Returns the user's sessions: this browser's first, the others by date, newest first. */
export const ownSessions = async (): Promise<backend.OwnSession[]> => (await account()).ownSessions();

/** Ends a session. A session that has already ended is not an error. */
export const endSession = async (sessionId: string): Promise<void> => (await account()).endSession(sessionId);

export const endOtherSessions = async (): Promise<void> => (await account()).endOtherSessions();

/** Resolves when no public page shows the former name. */
export async function changeName(form: NameForm): Promise<void> {
  signedIn(await (await account()).changeName(form));
  await revalidateAuthor();
}

export async function changeEmail(form: EmailForm): Promise<void> {
  signedIn(await (await account()).changeEmail(form));
}

/** Returns all of the user's posts and pictures as one zip file. */
export async function ownArchive(user: User, onProgress: (posts: number) => void): Promise<backend.OwnArchive> {
  const part = await importWithRetry(backend.importOwnArchive);
  return part.ownArchive(user, onProgress);
}

export type Deletion = 'deleted' | 'wrong-password' | 'last-owner' | 'nobody-to-take-them';

const REFUSALS: Readonly<Record<string, Deletion>> = {
  'last-owner': 'last-owner',
  'not-found': 'nobody-to-take-them',
};

/**
 * Deletes the signed-in user's account and signs out; the posts are deleted or handed over to an owner.
 * @throws Error with the HTTP status as `code`.
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
