/** The signed-in user's own account. Functions rethrow backend errors. */

import * as backend from '#backend/browser/account.ts';
import type { OwnArchive } from '#backend/browser/own-archive.ts';
import { ApiError } from '#blog/errors.ts';
import type { EmailForm, NameForm } from '#blog/forms/account-forms.ts';
import type { Proof } from '#blog/passkeys.ts';
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

/**
 * Deletes the account. Returns `not-found` if no other owner can take over the posts.
 * @throws ApiError with the server's code
 */
export async function deleteAccount(proof: Proof, posts: 'delete' | 'hand-over'): Promise<Deletion> {
  const response = await send('/api/account/delete', { ...proof, posts });
  if (response.ok) {
    await signedOut();
    return 'deleted';
  }
  const { error = '' } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  if (error === 'last-owner' || error === 'not-found') return error;
  if (response.status === 422 && 'password' in proof) return 'wrong-password';
  throw new ApiError(response.status, error);
}
