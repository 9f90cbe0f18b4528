import { bunny, cloudflare, fastly, generic, type PurgeDriver } from './cdn-drivers.ts';

export interface Cdn {
  readonly provider: 'cloudflare' | 'fastly' | 'bunny' | 'generic';
  readonly token: string | undefined;
  /** Cloudflare's zone, Fastly's service, Bunny's pull zone. */
  readonly zone: string | undefined;
  /** For `generic`: a URL with `{url}`, `{path}` or `{tag}`. */
  readonly purgeUrl: string | undefined;
  /** For Cloudflare: plans without purging by tag purge by URL. */
  readonly purgeBy: 'tags' | 'urls';
  /** Seconds that the CDN may serve a page without revalidation. */
  readonly maxAge: number;
}

/** The variables that each provider requires. */
export const NEEDED: Readonly<Record<Cdn['provider'], readonly ('CDN_TOKEN' | 'CDN_ZONE' | 'CDN_PURGE_URL')[]>> = {
  cloudflare: ['CDN_TOKEN', 'CDN_ZONE'],
  fastly: ['CDN_TOKEN', 'CDN_ZONE'],
  bunny: ['CDN_TOKEN', 'CDN_ZONE'],
  generic: ['CDN_PURGE_URL'],
};

export function driverOf({ provider, token = '', zone = '', purgeUrl = '', purgeBy }: Cdn): PurgeDriver {
  switch (provider) {
    case 'cloudflare':
      return cloudflare({ zoneId: zone, token, by: purgeBy });
    case 'fastly':
      return fastly({ serviceId: zone, token });
    case 'bunny':
      return bunny({ pullZoneId: zone, accessKey: token });
    case 'generic':
      return generic({ template: purgeUrl, token: token || undefined });
  }
}
