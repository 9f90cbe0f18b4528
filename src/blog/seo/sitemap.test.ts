import { expect, it } from 'vitest';
import { elementsNamed, wellFormed } from '../../../tests/support/seo.ts';
import type { PostSummary } from '../post.ts';
import { SITEMAP_PART, sitemapPages, sitemapParts } from '../routes/table.ts';
import type { Site } from '../site.ts';
import { robots, sitemapIndex, sitemapPart, urlSet } from './sitemap.ts';

const site = { url: 'https://example.com' } as Site;
const post = (id: string, createdAt: string, userId = 'ann', updatedAt = createdAt): PostSummary => ({
  ...{ id, title: id, featuredImage: '', status: 'active', userId, createdAt, updatedAt, permissions: [] },
});
const day = (year: number) => `${year}-05-01T00:00:00.000+00:00`;
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `/post/${i}`, changed: day(2026) }));

const pages = sitemapPages([post('new', day(2026), 'ben'), post('old', day(2024), 'ann', day(2027))]);

it('the pages of a sitemap are the posts, oldest first, then the lists with the date of their last change', () => {
  expect(pages).toEqual([
    { path: '/post/old', changed: day(2027) },
    { path: '/post/new', changed: day(2026) },
    { path: '/', changed: day(2027) },
    { path: '/archive', changed: day(2027) },
    { path: '/author/ann', changed: day(2027) },
    { path: '/author/ben', changed: day(2026) },
    { path: '/archive/2024', changed: day(2027) },
    { path: '/archive/2026', changed: day(2026) },
  ]);
});

it('the pages of a sitemap are written with absolute addresses and dates', () => {
  const text = urlSet(site, pages);
  expect(wellFormed(text)).toBe(true);
  expect(elementsNamed(text, 'loc')[0]).toBe('https://example.com/post/old');
  expect(elementsNamed(text, 'lastmod')).toHaveLength(pages.length);
});

it('the sitemap of a site without a post is its home page', () =>
  expect(elementsNamed(urlSet(site, []), 'loc')).toEqual(['https://example.com/']));

it('the parts of a sitemap are none up to 2,000 pages, which stand at one address, and two above', () => {
  expect(sitemapParts(SITEMAP_PART)).toBe(0);
  expect(sitemapParts(SITEMAP_PART + 1)).toBe(2);
  expect(sitemapPart(many(SITEMAP_PART + 1), 1)).toHaveLength(SITEMAP_PART);
  expect(sitemapPart(many(SITEMAP_PART + 1), 2)).toHaveLength(1);
});

it('the parts of a sitemap are listed in the index with the date of their last change', () => {
  const text = sitemapIndex(site, many(SITEMAP_PART + 1));
  expect(wellFormed(text)).toBe(true);
  expect(elementsNamed(text, 'loc')).toEqual([1, 2].map((part) => `https://example.com/sitemap-${part}.xml`));
  expect(elementsNamed(text, 'lastmod')).toEqual([day(2026), day(2026)]);
});

it('robots are told where the sitemap is', () =>
  expect(robots(site)).toContain('\nSitemap: https://example.com/sitemap.xml\n'));
