/** Password recovery and address verification. Functions rethrow backend errors. */

import * as backend from '#backend/browser/recovery.ts';
import { VERIFY_EMAIL } from '#blog/routes/paths.ts';
import { send } from '../send.ts';

export { isAddressVerified, resetPassword } from '#backend/browser/recovery.ts';

export interface MailedLink {
  readonly userId: string;
  readonly secret: string;
}

/** Returns the parameters of the emailed link from the page's URL; undefined if they are incomplete. */
export function mailedLink(search: string): MailedLink | undefined {
  const query = new URLSearchParams(search);
  const [userId, secret] = [query.get('userId'), query.get('secret')];
  return userId && secret ? { userId, secret } : undefined;
}

/** Requests a recovery email. Returns false only if the site sends no mail. @throws Error with the status as `code` */
export const askForRecovery = (email: string): Promise<boolean> =>
  isMailSent({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

/** Returns true if the site sends mail. @throws Error with the HTTP status as `code` */
export async function isMailSent(request?: RequestInit): Promise<boolean> {
  const response = await fetch('/api/recovery', request);
  if (!response.ok) throw Object.assign(new Error(''), { code: response.status });
  return ((await response.json()) as { readonly isMailed: boolean }).isMailed;
}

/** Emails the user a verification link. @throws `general_smtp_disabled` if the site sends no mail */
export const sendVerification = (): Promise<void> => backend.sendVerification(location.origin + VERIFY_EMAIL);

/** Verifies the signed-in user's address with an emailed link. @throws the SDK's error: 401 for an invalid link */
export async function verifyAddress(link: MailedLink): Promise<void> {
  // The server trusts older passkeys only if this session requests them before and after verifying (decision 032).
  await send('/api/passkeys').catch(() => undefined);
  await backend.verifyAddress(link);
  await send('/api/passkeys').catch(() => undefined);
}
