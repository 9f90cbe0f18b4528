import { connect, logged } from './client.ts';

/**
 * Sets a new password. The embedded backend then ends every session of the user, but Appwrite may be configured to keep
 * them. @throws the SDK's error: 401 for an invalid link
 */
export const resetPassword = (link: { readonly userId: string; readonly secret: string }, password: string) =>
  logged('resetPassword', async () => void (await connect().account.updateRecovery({ ...link, password })));

/** Verifies the user's email address. @throws the SDK's error: 401 for an invalid link */
export const verifyAddress = (link: { readonly userId: string; readonly secret: string }) =>
  logged('verifyAddress', async () => void (await connect().account.updateEmailVerification(link)));

/** Emails the user a link to `url`. @throws the SDK's error: `general_smtp_disabled` if the backend sends no mail */
export const sendVerification = (url: string) =>
  logged('sendVerification', async () => void (await connect().account.createEmailVerification({ url })));

export const isAddressVerified = (): Promise<boolean> =>
  logged('isAddressVerified', async () => (await connect().account.get()).emailVerification);
