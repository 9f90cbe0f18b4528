/** The signed-in user's own account. What changes is at once what all islands of the page, and readers, see. */

import * as backend from '#backend/browser.ts';
import type { EmailForm, NameForm } from '#blog/account-forms.ts';
import { signedIn } from './auth.ts';
import { revalidateAuthor } from './revalidation.ts';

export { changePassword, endOtherSessions, endSession, type OwnSession, ownSessions } from '#backend/browser.ts';

/** Resolves when every page that names the user is outdated. Throws what the backend threw. */
export async function changeName(form: NameForm): Promise<void> {
  signedIn(await backend.changeName(form));
  await revalidateAuthor();
}

/** Throws what the backend threw. */
export async function changeEmail(form: EmailForm): Promise<void> {
  signedIn(await backend.changeEmail(form));
}
