/** Why the backend mails no link to this site. */
import { faultOf } from './errors.ts';

/** True when it has no mail server, and when an Appwrite's project does not know the site's host, to which it then mails no link. */
export function cannotMail(error: unknown): boolean {
  const { type, message } = faultOf(error);
  return (
    type === 'general_smtp_disabled' ||
    (type === 'general_argument_invalid' && message.startsWith('Invalid `url` param'))
  );
}
