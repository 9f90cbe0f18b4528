/** Defines the requests that purge changed pages from each CDN. `purger.ts` sends them. */
import { SITE } from '#blog/routes/tags.ts';

/** The same pages by tag and by URL; a driver uses what its CDN supports. */
export interface Purge {
  readonly tags: readonly string[];
  readonly urls: readonly string[];
  /** Purges the whole site; `urls` then holds all stored pages. */
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
  /** The response headers from which this CDN reads tags. */
  readonly tagHeaders: readonly string[];
  /** The header with the caching time for a CDN that does not know `CDN-Cache-Control`. */
  readonly control?: 'Surrogate-Control' | 's-maxage';
  readonly by: 'tags' | 'urls';
  /** More names than this are purged as everything: these APIs limit requests. */
  readonly most: number;
  readonly words?: { readonly later: string; readonly given: string };
  calls(purge: Purge): PurgeCall[];
}

/** Tags or URLs per request. */
const CLOUDFLARE_BATCH = 30;
const FASTLY_BATCH = 256;
/** A purge that needs more requests purges everything instead. */
const MOST_CALLS = 20;

export interface CloudflareOptions {
  readonly zoneId: string;
  /** An API token with the permission Zone, Cache Purge. */
  readonly token: string;
  /** `tags` if the plan supports purging by Cache-Tag, else `urls`. */
  readonly by?: 'tags' | 'urls';
  readonly api?: string;
}

/** https://developers.cloudflare.com/api/operations/zone-purge */
export function cloudflare({ zoneId, token, by = 'tags', api }: CloudflareOptions): PurgeDriver {
  const call = (body: unknown): PurgeCall => ({
    method: 'POST',
    url: `${api ?? 'https://api.cloudflare.com/client/v4'}/zones/${encodeURIComponent(zoneId)}/purge_cache`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
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
}

export interface FastlyOptions {
  readonly serviceId: string;
  readonly token: string;
  readonly api?: string;
}

/** https://www.fastly.com/documentation/reference/api/purging/ */
export function fastly({ serviceId, token, api }: FastlyOptions): PurgeDriver {
  const call = (path: string, body?: unknown): PurgeCall => ({
    method: 'POST',
    url: `${api ?? 'https://api.fastly.com'}/service/${encodeURIComponent(serviceId)}/${path}`,
    headers: { 'fastly-key': token, accept: 'application/json', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
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
}

export interface BunnyOptions {
  readonly pullZoneId: string;
  readonly accessKey: string;
  readonly api?: string;
}

/** https://docs.bunny.net/cdn/purge-cache: one tag a call. */
export function bunny({ pullZoneId, accessKey, api }: BunnyOptions): PurgeDriver {
  const call = (body?: unknown): PurgeCall => ({
    method: 'POST',
    url: `${api ?? 'https://api.bunny.net'}/pullzone/${encodeURIComponent(pullZoneId)}/purgeCache`,
    headers: { accesskey: accessKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    name: 'bunny',
    tagHeaders: ['CDN-Tag'],
    control: 's-maxage',
    by: 'tags',
    most: MOST_CALLS,
    calls: ({ tags, everything }) => (everything ? [call()] : tags.map((tag) => call({ CacheTag: tag }))),
  };
}

export interface GenericOptions {
  /** A URL with `{url}`, `{path}` or `{tag}`, which decides whether pages or tags are purged. */
  readonly template: string;
  readonly method?: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
}

/**
 * Purges any cache that takes one HTTP request per page or tag, e.g. `PURGE http://varnish:6081{path}`. To purge
 * everything, sends the tag `site` or every stored page.
 */
export function generic({ template, method = 'PURGE', token }: GenericOptions): PurgeDriver {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const call = (url: string): PurgeCall => ({ method, url, headers });
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
        // A path is inserted unchanged; a URL inside another is encoded.
        const whole = template === '{url}' ? url : encodeURIComponent(url);
        return call(template.replaceAll('{path}', new URL(url).pathname).replaceAll('{url}', whole));
      });
    },
  };
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
