import type { Email } from 'postal-mime';

/** Returns an email's first link with a secret, skipping Appwrite's own links. @throws Error without such a link */
export function linkOf({ html = '' }: Email): URL {
  for (const [, href = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)) {
    const link = URL.parse(href.replaceAll('&amp;', '&'));
    if (link?.searchParams.has('secret')) return link;
  }
  throw new Error(`The mail has no link with a secret: ${html.slice(0, 400)}`);
}
