import { SECURITY_TXT } from '../routes/paths.ts';
import type { Site } from '../site.ts';
import { absolute } from './addresses.ts';

/** Months until the file expires. RFC 9116 (2.5.5) recommends less than a year. */
const GOOD_FOR = 11;

/** Returns the file's text, which changes with `now` once a month at most. `contact` is a `mailto:` or `https:` URL. */
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
