/** The sitemap (sitemaps.org/protocol.html): every public page, in parts where there are many. */

import type { PostSummary } from '../post.ts';
import type { Site } from '../site.ts';
import { absolute, authorPath, postPath, yearPath } from './addresses.ts';
import { xml } from './xml.ts';

/** Pages of one part. The protocol allows 50,000; of smaller parts, an edit changes a small one. */
export const SITEMAP_PART = 2000;

export interface SitemapPage {
  readonly path: string;
  /** ISO date of its last change. */
  readonly changed: string;
}

/** Every public page but the later ones of a list. Oldest posts first, so that a new post changes the last part alone. */
export function sitemapPages(posts: readonly PostSummary[]): SitemapPage[] {
  const lists = new Map<string, string>();
  const note = (path: string, changed: string) => {
    const known = lists.get(path);
    if (known === undefined || known < changed) lists.set(path, changed);
  };
  const pages = posts.toReversed().map(({ id, userId, createdAt, updatedAt }) => {
    for (const path of ['/', '/archive', yearPath(Number(createdAt.slice(0, 4))), authorPath(userId)]) {
      note(path, updatedAt);
    }
    return { path: postPath(id), changed: updatedAt };
  });
  return [...pages, ...Array.from(lists, ([path, changed]) => ({ path, changed }))];
}

export const sitemapParts = (pages: readonly SitemapPage[]): number => Math.ceil(pages.length / SITEMAP_PART);

export const sitemapPart = (pages: readonly SitemapPage[], n: number): SitemapPage[] =>
  pages.slice((n - 1) * SITEMAP_PART, n * SITEMAP_PART);

const newest = (pages: readonly SitemapPage[]): string =>
  pages
    .map(({ changed }) => changed)
    .toSorted()
    .at(-1) ?? '';

const place = (site: Site, { path, changed }: SitemapPage): string =>
  `<loc>${xml(absolute(site, path))}</loc>${changed && `<lastmod>${changed}</lastmod>`}`;

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A list of pages. A site without a post has its home page. */
export function urlSet(site: Site, pages: readonly SitemapPage[]): string {
  const listed = pages.length > 0 ? pages : [{ path: '/', changed: '' }];
  return `${HEAD}<urlset ${NAMESPACE}>\n${listed.map((page) => `<url>${place(site, page)}</url>\n`).join('')}</urlset>\n`;
}

/** The list of the parts. */
export function sitemapIndex(site: Site, pages: readonly SitemapPage[]): string {
  const parts = Array.from({ length: sitemapParts(pages) }, (_, i) => {
    const part = { path: `/sitemap-${i + 1}.xml`, changed: newest(sitemapPart(pages, i + 1)) };
    return `<sitemap>${place(site, part)}</sitemap>\n`;
  });
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${parts.join('')}</sitemapindex>\n`;
}

/** What robots may read: everything public but the answers to searches. */
export const robots = (site: Site): string =>
  `User-agent: *\nDisallow: /api/\nDisallow: /search?\n\nSitemap: ${absolute(site, '/sitemap.xml')}\n`;
