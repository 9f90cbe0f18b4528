/** Password recovery and address verification. Functions rethrow backend errors. */

import * as backend from '#backend/browser.ts';
import { VERIFY_EMAIL } from '#blog/routes/paths.ts';
import { importWithRetry } from '../import-with-retry.ts';

const recovery = () => importWithRetry(backend.importRecovery);

export interface MailedLink {
  readonly userId: string;
  readonly secret: string;
}

/** Returns the link in the page's address; undefined if it is incomplete. */
export function mailedLink(search: string): MailedLink | undefined {
  const query = new URLSearchParams(search);
  const [userId, secret] = [query.get('userId'), query.get('secret')];
  return userId && secret ? { userId, secret } : undefined;
}

/**
 * Requests a mail with a password reset link. Returns true if the site sends mail, even if no account has this
 * address.
 * @throws Error with the HTTP status as `code`.
 */
export async function askForRecovery(email: string): Promise<boolean> {
  const response = await fetch('/api/recovery', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  if (!response.ok) throw Object.assign(new Error(''), { code: response.status });
  return ((await response.json()) as { readonly isMailed: boolean }).isMailed;
}

/**
 * Returns true if the site sends mail.
 * @throws Error with the HTTP status as `code`.
 */
export async function isMailSent(): Promise<boolean> {
  const response = await fetch('/api/recovery');
  if (!response.ok) throw Object.assign(new Error(''), { code: response.status });
  return ((await response.json()) as { readonly isMailed: boolean }).isMailed;
}

export const resetPassword = async (link: MailedLink, password: string): Promise<void> =>
  (await recovery()).resetPassword(link, password);

export const verifyAddress = async (link: MailedLink): Promise<void> => (await recovery()).verifyAddress(link);

/** @throws `general_smtp_disabled` if the site sends no mail. */
export const sendVerification = async (): Promise<void> =>
  (await recovery()).sendVerification(location.origin + VERIFY_EMAIL);

export const isAddressVerified = async (): Promise<boolean> => (await recovery()).isAddressVerified();
