import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { fetchPicture } from '#backend/remote-pictures/fetch-picture.ts';
import { addressOf, queryOf } from './addresses.ts';
import type { PostHead, Target, TransferFile } from './document.ts';
import type { OpenOptions } from './format.ts';

/** A file from the old site: its path below `media`, and the URLs to try, best first. */
export interface SiteFile {
  readonly path: string;
  readonly candidates: readonly string[];
}

export const pictureAt = (path: string, original: string, written: URL, ending = 'jpg'): SiteFile => ({
  path: /\.\w{3,4}$/.test(path) ? path : `${path}.${ending}`,
  candidates: [...new Set([original, written.href])],
});

export interface OldSiteOptions extends Pick<OpenOptions, 'media' | 'fetch'> {
  /** URLs of the old site, without a trailing slash. */
  readonly sites: readonly string[];
  readonly posts: readonly PostHead[];
  readonly fileOf: (address: URL) => SiteFile | undefined;
  readonly member?: ((path: string) => (() => Promise<Buffer>) | undefined) | undefined;
}

export function createAddresses(
  posts: readonly Pick<PostHead, 'path' | 'addresses'>[],
): (address: string) => string | undefined {
  const byAddress = new Map<string, string>();
  for (const { path, addresses } of posts)
    for (const address of addresses.map((each) => each.toLowerCase()))
      if (!byAddress.has(address)) byAddress.set(address, path);
  return (address) => {
    const path = addressOf(address).toLowerCase();
    return byAddress.get(path + queryOf(address).toLowerCase()) ?? byAddress.get(path);
  };
}

export function createOldSite(options: OldSiteOptions): (href: string) => Target {
  const postAt = createAddresses(options.posts);
  const hosts = new Set(options.sites.flatMap((site) => (URL.canParse(site) ? [bareHost(new URL(site))] : [])));
  const base = options.sites.find((site) => URL.canParse(site)) ?? 'https://unknown.invalid';
  return (href) => {
    if (href === '' || href.startsWith('#')) return { kind: 'elsewhere', href };
    const url = URL.parse(href, `${base}/`);
    if (!url || !/^https?:$/.test(url.protocol)) return { kind: 'elsewhere', href };
    const found = options.fileOf(url);
    if (found) return { kind: 'file', file: fileAt(found, url, options) };
    if (!hosts.has(bareHost(url)) && url.hostname !== 'unknown.invalid') return { kind: 'elsewhere', href };
    const post = postAt(url.pathname + url.search);
    if (post) return { kind: 'post', path: post, fragment: url.hash };
    return { kind: 'elsewhere', href: url.hostname === 'unknown.invalid' ? href : url.href };
  };
}

const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

function fileAt({ path, candidates }: SiteFile, url: URL, { media, member, fetch }: OldSiteOptions): TransferFile {
  return {
    key: path,
    name: basename(path),
    isOfOldSite: true,
    ...(url.hostname !== 'unknown.invalid' && { address: url.href }),
    async read() {
      const inside = member?.(path);
      if (inside) return inside();
      const local = media && localFile(media, path);
      if (local) return readFile(local);
      if (!fetch) throw new Error(`${path} is not in the media folder, and fetching is turned off.`);
      let fault: unknown;
      for (const address of candidates) {
        try {
          return Buffer.concat((await fetchPicture(address, { allowed: fetch })).chunks);
        } catch (error) {
          fault = error;
        }
      }
      throw fault;
    },
  };
}

/** Returns the file in `folder` at the path, or at the longest suffix of the path that exists. */
function localFile(folder: string, path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  const inside = (file: string) => realpathSync(file).startsWith(realpathSync(folder) + sep);
  return parts
    .map((_, from) => join(folder, ...parts.slice(from)))
    .find((file) => existsSync(file) && statSync(file).isFile() && inside(file));
}
