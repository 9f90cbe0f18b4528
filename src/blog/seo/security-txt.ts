import { SECURITY_TXT } from '../routes/paths.ts';
import type { Site } from '../site.ts';
import { absolute } from './addresses.ts';

/** Months until the file expires. RFC 9116 (2.5.5) recommends less than a year. */
const GOOD_FOR = 11;

/** Returns a text that changes only with the month of `now`. `contact` is a `mailto:` or `https:` address. */
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
