import { SITE } from '#blog/routes/tags.ts';

/** The pages to purge, by tag and by URL. Each driver uses the form that its CDN supports. */
export interface Purge {
  readonly tags: readonly string[];
  readonly urls: readonly string[];
  /** True to purge the whole site. `urls` then lists all stored pages, for drivers that purge by URL. */
  readonly everything: boolean;
}

export interface PurgeCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PurgeDriver {
  readonly name: string;
  readonly tagHeaders: readonly string[];
  readonly control?: 'Surrogate-Control' | 's-maxage';
  readonly by: 'tags' | 'urls';
  /** Maximum number of tags or URLs per purge. A larger purge covers everything, because CDN APIs limit requests. */
  readonly most: number;
  readonly words?: { readonly later: string; readonly given: string };
  calls(purge: Purge): PurgeCall[];
}

export interface Cdn {
  readonly provider: 'cloudflare' | 'fastly' | 'bunny' | 'generic';
  readonly token?: string | undefined;
  /** The Cloudflare zone, Fastly service or Bunny pull zone. */
  readonly zone?: string | undefined;
  /** URL template for `generic`. With `{url}` or `{path}` it purges pages; with `{tag}` it purges tags. */
  readonly purgeUrl?: string | undefined;
  /** Used only for Cloudflare, where some plans can purge only by URL. */
  readonly purgeBy: 'tags' | 'urls';
  /** Seconds for which the CDN may serve a page without revalidation. */
  readonly maxAge: number;
}

export const NEEDED: Readonly<Record<Cdn['provider'], readonly ('CDN_TOKEN' | 'CDN_ZONE' | 'CDN_PURGE_URL')[]>> = {
  cloudflare: ['CDN_TOKEN', 'CDN_ZONE'],
  fastly: ['CDN_TOKEN', 'CDN_ZONE'],
  bunny: ['CDN_TOKEN', 'CDN_ZONE'],
  generic: ['CDN_PURGE_URL'],
};

/** Maximum number of tags or URLs per request. */
const CLOUDFLARE_BATCH = 30;
const FASTLY_BATCH = 256;
/** Maximum number of requests per purge, except for `generic`. A larger purge covers everything instead. */
const MOST_CALLS = 20;

const DRIVERS: Readonly<Record<Cdn['provider'], (cdn: Cdn) => PurgeDriver>> = {
  /** https://developers.cloudflare.com/api/operations/zone-purge */
  cloudflare({ zone = '', token, purgeBy: by }) {
    const url = `https://api.cloudflare.com/client/v4/zones/${encodeURIComponent(zone)}/purge_cache`;
    const call = (body: object) => post(url, { authorization: `Bearer ${token}` }, body);
    return {
      name: 'cloudflare',
      tagHeaders: ['Cache-Tag'],
      by,
      most: MOST_CALLS * CLOUDFLARE_BATCH,
      calls({ tags, urls, everything }) {
        if (everything) return [call({ purge_everything: true })];
        if (by === 'tags') return batches(tags, CLOUDFLARE_BATCH).map((batch) => call({ tags: batch }));
        return batches(urls, CLOUDFLARE_BATCH).map((batch) => call({ files: batch }));
      },
    };
  },

  /** https://www.fastly.com/documentation/reference/api/purging/ */
  fastly({ zone = '', token = '' }) {
    const call = (path: string, body?: object) =>
      post(
        `https://api.fastly.com/service/${encodeURIComponent(zone)}/${path}`,
        { 'fastly-key': token, accept: 'application/json' },
        body,
      );
    return {
      name: 'fastly',
      tagHeaders: ['Surrogate-Key'],
      control: 'Surrogate-Control',
      by: 'tags',
      most: MOST_CALLS * FASTLY_BATCH,
      calls({ tags, everything }) {
        if (everything) return [call('purge_all')];
        return batches(tags, FASTLY_BATCH).map((batch) => call('purge', { surrogate_keys: batch }));
      },
    };
  },

  /** https://docs.bunny.net/cdn/purge-cache: one tag per call. */
  bunny({ zone = '', token = '' }) {
    const url = `https://api.bunny.net/pullzone/${encodeURIComponent(zone)}/purgeCache`;
    const call = (body?: object) => post(url, { accesskey: token }, body);
    return {
      name: 'bunny',
      tagHeaders: ['CDN-Tag'],
      control: 's-maxage',
      by: 'tags',
      most: MOST_CALLS,
      calls: ({ tags, everything }) => (everything ? [call()] : tags.map((tag) => call({ CacheTag: tag }))),
    };
  },

  /** Sends one PURGE request per page or tag, e.g. to `http://varnish:6081{path}`. */
  generic({ purgeUrl: template = '', token }) {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const call = (url: string): PurgeCall => ({ method: 'PURGE', url, headers });
    const by = template.includes('{tag}') ? 'tags' : 'urls';
    return {
      name: 'generic',
      tagHeaders: ['Cache-Tag', 'Surrogate-Key'],
      control: 's-maxage',
      by,
      most: by === 'tags' ? MOST_CALLS * CLOUDFLARE_BATCH : Number.POSITIVE_INFINITY,
      calls({ tags, urls, everything }) {
        if (by === 'tags') {
          const named = everything ? [SITE] : tags;
          return named.map((tag) => call(template.replaceAll('{tag}', encodeURIComponent(tag))));
        }
        return urls.map((url) => {
          // Encodes the URL unless the template is just `{url}`. Inserts the path unchanged.
          const whole = template === '{url}' ? url : encodeURIComponent(url);
          return call(template.replaceAll('{path}', new URL(url).pathname).replaceAll('{url}', whole));
        });
      },
    };
  },
};

export const driverOf = (cdn: Cdn): PurgeDriver => DRIVERS[cdn.provider](cdn);

const post = (url: string, headers: Readonly<Record<string, string>>, body: object | undefined): PurgeCall => ({
  method: 'POST',
  url,
  headers: { ...headers, 'content-type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
});

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
