/** The link that a mail is about. */
import type { Email } from 'postal-mime';

/** Returns the link with a secret of a mail's HTML: a real Appwrite's mails begin with a link to its maker. Throws without one. */
export function linkOf({ html = '' }: Email): URL {
  for (const [, href = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)) {
    const link = URL.parse(href.replaceAll('&amp;', '&'));
    if (link?.searchParams.has('secret')) return link;
  }
  throw new Error(`The mail has no link with a secret: ${html.slice(0, 400)}`);
}
