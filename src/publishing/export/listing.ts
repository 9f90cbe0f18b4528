/**
 * Which posts are published and when each was changed, as the site's own sitemap says: a page or a few for what takes a
 * question for every thousand posts to ask of the backend.
 */
import { isSlug } from '#blog/slug-rules.ts';
import type { Source } from './source.ts';

/** Posts by their ids and when they were changed, newest first. */
export type Listing = readonly { readonly id: string; readonly updatedAt: string }[];

interface SitemapPage {
  readonly etag: string;
  readonly posts: Listing;
  /** Paths of the parts, where it is the list of them. */
  readonly parts: readonly string[];
}

export const SITEMAP = '/sitemap.xml';
const ENTRY = /<loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?/g;
/** A post may move from one part to another while they are read. */
const ATTEMPTS = 3;

/** Gives the way to read it; that gives undefined where the server cannot say for sure. */
export function createListing(source: Source, siteUrl: string): () => Promise<Listing | undefined> {
  const known = new Map<string, SitemapPage>();

  /** Undefined for a page that is not what the server would render now. */
  async function read(path: string): Promise<SitemapPage | undefined> {
    const before = known.get(path);
    const answer = await source.text(path, before?.etag);
    if (answer === 'same') return before;
    known.delete(path);
    if (answer === 'behind' || answer.isStale || answer.status !== 200 || !answer.etag) return undefined;
    const page = { etag: answer.etag, ...pageOf(answer.text, siteUrl) };
    known.set(path, page);
    return page;
  }

  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const first = await read(SITEMAP);
      if (!first) return undefined;
      const parts = await Promise.all(first.parts.map(read));
      const pages = [first, ...parts.flatMap((part) => part ?? [])];
      if (pages.length <= parts.length) return undefined;
      // They were all true at one moment when each still is after all were read.
      const again = parts.length > 0 ? await Promise.all([SITEMAP, ...first.parts].map(read)) : pages;
      if (again.every((page, at) => page === pages[at])) return pages.flatMap(({ posts }) => posts).toReversed();
    }
    return undefined;
  };
}

function pageOf(text: string, siteUrl: string): Omit<SitemapPage, 'etag'> {
  const posts: { id: string; updatedAt: string }[] = [];
  const parts: string[] = [];
  for (const [, address = '', changed] of text.matchAll(ENTRY)) {
    if (!address.startsWith(`${siteUrl}/`)) continue;
    const path = address.slice(siteUrl.length);
    const [, slug] = /^\/post\/([^/]+)$/.exec(path) ?? [];
    if (slug !== undefined && changed !== undefined && isSlug(slug)) posts.push({ id: slug, updatedAt: changed });
    else if (/^\/sitemap-[1-9]\d*\.xml$/.test(path)) parts.push(path);
  }
  return { posts, parts };
}
