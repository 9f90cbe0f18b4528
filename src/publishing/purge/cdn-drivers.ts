/** How each CDN wants to be told that pages changed. A driver only says which calls to make; `purger.ts` makes them. */
import { SITE } from '#blog/routes/tags.ts';

/** Pages by tag and by absolute address; both name the same pages, and a driver uses what its CDN can. */
export interface Purge {
  readonly tags: readonly string[];
  readonly urls: readonly string[];
  /** Everything that the CDN keeps of the site; `urls` are then all pages that are stored here. */
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
  /** The response headers in which this CDN looks for tags. */
  readonly tagHeaders: readonly string[];
  /** What tells this CDN how long it may keep a page, where it does not know `CDN-Cache-Control`. */
  readonly control?: 'Surrogate-Control' | 's-maxage';
  /** Which of a purge's names it uses. */
  readonly by: 'tags' | 'urls';
  /** More names than this at once are purged as everything: these APIs count calls. */
  readonly most: number;
  /** What the log says of a call that failed. */
  readonly words?: { readonly later: string; readonly given: string };
  calls(purge: Purge): PurgeCall[];
}

/** Most tags or addresses in one call. */
const CLOUDFLARE_BATCH = 30;
const FASTLY_BATCH = 256;
/** Calls that one purge may take before everything is purged instead. */
const MOST_CALLS = 20;

export interface CloudflareOptions {
  readonly zoneId: string;
  /** An API token with the permission Zone, Cache Purge. */
  readonly token: string;
  /** `tags` where the plan has purging by Cache-Tag, else `urls`. */
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
  /** An address with `{url}`, `{path}` or `{tag}` in it, which decides what one call is made for. */
  readonly template: string;
  readonly method?: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
}

/**
 * Any cache that takes one HTTP call for a page or a tag, e.g. `PURGE http://varnish:6081{path}`. A purge of
 * everything is the tag `site`, or every page that is stored here.
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
        // A path stands for itself; an address inside an address is encoded, unless it is the whole of it.
        const whole = template === '{url}' ? url : encodeURIComponent(url);
        return call(template.replaceAll('{path}', new URL(url).pathname).replaceAll('{url}', whole));
      });
    },
  };
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
