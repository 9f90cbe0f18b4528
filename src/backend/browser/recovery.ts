/** Links that came by mail, in this browser: a new password, a verified address. */

import { connect, logged } from './client.ts';

/** Sets a new password and ends every session of the user. Throws what the backend threw: 401 for a link that does not hold. */
export const resetPassword = (link: { readonly userId: string; readonly secret: string }, password: string) =>
  logged('resetPassword', async () => void (await connect().account.updateRecovery({ ...link, password })));

/** Throws what the backend threw: 401 for a link that does not hold. */
export const verifyAddress = (link: { readonly userId: string; readonly secret: string }) =>
  logged('verifyAddress', async () => void (await connect().account.updateEmailVerification(link)));

/** Sends the user a mail with a link to `url`. Throws what the backend threw: `general_smtp_disabled` where it sends none. */
export const sendVerification = (url: string) =>
  logged('sendVerification', async () => void (await connect().account.createEmailVerification({ url })));

export const isAddressVerified = (): Promise<boolean> =>
  logged('isAddressVerified', async () => (await connect().account.get()).emailVerification);
