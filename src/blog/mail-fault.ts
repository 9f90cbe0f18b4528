import { faultOf } from './errors.ts';

/** Returns true if no mail server is set up, or the Appwrite project does not allow the site's host in links. */
export function cannotMail(error: unknown): boolean {
  const { type, message } = faultOf(error);
  return (
    type === 'general_smtp_disabled' ||
    (type === 'general_argument_invalid' && message.startsWith('Invalid `url` param'))
  );
}
