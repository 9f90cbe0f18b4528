/** The file that says whom to tell of a hole in the site (RFC 9116). */
import { SECURITY_TXT } from '../routes/paths.ts';
import type { Site } from '../site.ts';
import { absolute } from './addresses.ts';

/** Months that the file holds good: the standard wants less than a year. */
const GOOD_FOR = 11;

/** The file's text. `contact` is a `mailto:` or `https:` address. It changes with the month of `now` alone. */
export function securityText(site: Site, contact: string, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + GOOD_FOR, 1));
  const languages = site.language === 'en' ? 'en' : `${site.language}, en`;
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${languages}`,
    `Canonical: ${absolute(site, SECURITY_TXT)}`,
    '',
  ].join('\n');
}
