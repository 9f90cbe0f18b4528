/** The sitemap (sitemaps.org/protocol.html): every public page, in parts if there are many. */

import { HOME, SEARCH, SITEMAP, sitemapPartPath } from '../routes/paths.ts';
import { SITEMAP_PART, type SitemapPage, sitemapParts } from '../routes/table.ts';
import type { Site } from '../site.ts';
import { absolute } from './addresses.ts';
import { xml } from './xml.ts';

export const sitemapPart = (pages: readonly SitemapPage[], n: number): SitemapPage[] =>
  pages.slice((n - 1) * SITEMAP_PART, n * SITEMAP_PART);

const newest = (pages: readonly SitemapPage[]): string =>
  pages
    .map(({ changed }) => changed)
    .toSorted()
    .at(-1) ?? '';

const urlElements = (site: Site, { path, changed }: SitemapPage): string =>
  `<loc>${xml(absolute(site, path))}</loc>${changed && `<lastmod>${changed}</lastmod>`}`;

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export function urlSet(site: Site, pages: readonly SitemapPage[]): string {
  const listed = pages.length > 0 ? pages : [{ path: HOME, changed: '' }];
  return `${HEAD}<urlset ${NAMESPACE}>\n${listed.map((page) => `<url>${urlElements(site, page)}</url>\n`).join('')}</urlset>\n`;
}

export function sitemapIndex(site: Site, pages: readonly SitemapPage[]): string {
  const parts = Array.from({ length: sitemapParts(pages.length) }, (_, i) => {
    const part = { path: sitemapPartPath(i + 1), changed: newest(sitemapPart(pages, i + 1)) };
    return `<sitemap>${urlElements(site, part)}</sitemap>\n`;
  });
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${parts.join('')}</sitemapindex>\n`;
}

export const robots = (site: Site): string =>
  `User-agent: *\nDisallow: /api/\nDisallow: ${SEARCH}?\n\nSitemap: ${absolute(site, SITEMAP)}\n`;
