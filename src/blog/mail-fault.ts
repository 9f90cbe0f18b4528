import { faultOf } from './errors.ts';

/** Returns true without a mail server, and if Appwrite's project does not list the site's host for links. */
export function cannotMail(error: unknown): boolean {
  const { type, message } = faultOf(error);
  return (
    type === 'general_smtp_disabled' ||
    (type === 'general_argument_invalid' && message.startsWith('Invalid `url` param'))
  );
}
