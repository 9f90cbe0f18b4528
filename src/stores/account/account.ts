/** The signed-in user's own account. Functions rethrow backend errors. */

import * as backend from '#backend/browser/account.ts';
import type { OwnArchive } from '#backend/browser/own-archive.ts';
import type { EmailForm, NameForm } from '#blog/forms/account-forms.ts';
import type { User } from '#blog/user.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { revalidateAuthor } from '../posts/revalidation.ts';
import { send } from '../send.ts';
import { signedIn, signedOut } from './auth.ts';

export type { OwnSession } from '#backend/browser/account.ts';
export { changePassword, endOtherSessions, endSession, ownSessions } from '#backend/browser/account.ts';

/** Changes the user's name and refreshes the public pages that show it. */
export async function changeName(form: NameForm): Promise<void> {
  signedIn(await backend.changeName(form));
  await revalidateAuthor();
}

export const changeEmail = async (form: EmailForm): Promise<void> => signedIn(await backend.changeEmail(form));

export const ownArchive = async (user: User, onProgress: (posts: number) => void): Promise<OwnArchive> =>
  (await importWithRetry(() => import('#backend/browser/own-archive.ts'))).ownArchive(user, onProgress);

export type Deletion = 'deleted' | 'wrong-password' | 'last-owner' | 'not-found';

/** Deletes the account. `not-found`: no other owner can take over the posts. @throws Error with the status as `code` */
export async function deleteAccount(password: string, posts: 'delete' | 'hand-over'): Promise<Deletion> {
  const response = await send('/api/account/delete', { password, posts });
  if (response.status === 422 || response.status === 404) {
    const { error } = (await response.json()) as { readonly error?: string };
    return error === 'last-owner' || error === 'not-found' ? error : 'wrong-password';
  }
  if (!response.ok) throw Object.assign(new Error('deleteAccount'), { code: response.status });
  await signedOut();
  return 'deleted';
}
