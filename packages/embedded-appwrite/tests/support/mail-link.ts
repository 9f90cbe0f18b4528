import type { Email } from 'postal-mime';

/** Returns a mail's first link with a secret (a real Appwrite's starts with its vendor's). @throws without one */
export function linkOf({ html = '' }: Email): URL {
  for (const [, href = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)) {
    const link = URL.parse(href.replaceAll('&amp;', '&'));
    if (link?.searchParams.has('secret')) return link;
  }
  throw new Error(`The mail has no link with a secret: ${html.slice(0, 400)}`);
}
