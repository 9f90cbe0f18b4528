/** Whether the name of `SITE_URL` leads anywhere. */
import { lookup } from 'node:dns/promises';
import type { Check } from '../site.ts';

export const dns: Check = {
  name: 'DNS',
  async run({ settings: { siteUrl } }) {
    const hostname = new URL(siteUrl).hostname.replace(/^\[|\]$/g, '');
    try {
      await lookup(hostname);
      return [];
    } catch (error) {
      return [
        {
          id: 'dns.unknown',
          sentence: 'Nobody can find the site by its name.',
          evidence: `${hostname}: ${(error as NodeJS.ErrnoException).code}`,
          mend: `Add an A or AAAA record for ${hostname} at your DNS provider, or correct SITE_URL.`,
        },
      ];
    }
  },
};
