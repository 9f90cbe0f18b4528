/** A lost password and an address to be verified. */

import * as backend from '#backend/browser.ts';
import { VERIFY_EMAIL } from '#blog/routes/paths.ts';
import { importWithRetry } from '../import-with-retry.ts';

const recovery = () => importWithRetry(backend.importRecovery);

/** What a link that came by mail proves. */
export interface MailedLink {
  readonly userId: string;
  readonly secret: string;
}

/** What stands in the address of such a link; undefined where something is missing. */
export function mailedLink(search: string): MailedLink | undefined {
  const query = new URLSearchParams(search);
  const [userId, secret] = [query.get('userId'), query.get('secret')];
  return userId && secret ? { userId, secret } : undefined;
}

/**
 * Asks for a mail with a link to a new password. True when mails are sent here: whether there is such an account,
 * nobody is told. Throws with the HTTP status as `code`.
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

/** True where the site sends mail. Throws with the HTTP status as `code`. */
export async function isMailSent(): Promise<boolean> {
  const response = await fetch('/api/recovery');
  if (!response.ok) throw Object.assign(new Error(''), { code: response.status });
  return ((await response.json()) as { readonly isMailed: boolean }).isMailed;
}

/** Throws what the backend threw. */
export const resetPassword = async (link: MailedLink, password: string): Promise<void> =>
  (await recovery()).resetPassword(link, password);

/** Throws what the backend threw. */
export const verifyAddress = async (link: MailedLink): Promise<void> => (await recovery()).verifyAddress(link);

/** Throws what the backend threw: `general_smtp_disabled` where no mail is sent. */
export const sendVerification = async (): Promise<void> =>
  (await recovery()).sendVerification(location.origin + VERIFY_EMAIL);

export const isAddressVerified = async (): Promise<boolean> => (await recovery()).isAddressVerified();
