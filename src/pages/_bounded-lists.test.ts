/** Public lists stay bounded in bytes, whatever their posts' documents hold. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryOf } from '#backend/document.ts';
import type { PublicReader } from '#backend/server.ts';
import { postPermissions } from '#blog/permissions.ts';
import { POST_FIELD_NAMES, POST_FIELDS, type PostFieldName, type PostSummary } from '#blog/post.ts';
import { SITEMAP_PART, sitemapPages } from '#blog/routes/table.ts';
import { atom } from '#blog/seo/atom.ts';
import { FEED_POSTS, feedOf } from '#blog/seo/feed.ts';
import { jsonFeed } from '#blog/seo/json-feed.ts';
import { rss } from '#blog/seo/rss.ts';
import { sitemapPart, urlSet } from '#blog/seo/sitemap.ts';
import type { Site } from '#blog/site.ts';
import { TAGS_LISTED } from '#blog/tags/tags.ts';
import { loadArchive } from './_archive.ts';

const site: Site = {
  ...{ name: 'Ink', tagline: 'Words', language: 'en', url: 'https://ink.example.com', endpoint: '/v1' },
  ...{ projectId: 'p', databaseId: 'd', collectionId: 'c', revisionsId: 'r', bucketId: 'b' },
};

const KIBIBYTE = 1024;
/** Characters that need the most bytes, as UTF-8 or as references. */
const SIGNS = ['&', '"', '<', '墨', '🖋', '\u0001'];

/** Returns a post with every field at the backend's limit and more tags than the form sends. */
function largest(sign: string, tags: number, post: number): PostSummary {
  const contentOf = (name: PostFieldName): unknown => {
    const field = POST_FIELDS[name];
    if (field.kind === 'status') return 'active';
    if (field.kind === 'time') return '2026-01-01T00:00:00.000+00:00';
    if (field.kind !== 'texts') return sign.repeat(Math.min(field.size, 5000));
    return Array.from({ length: tags }, (_, n) => `${post} ${n} `.padEnd(field.size, sign));
  };
  return summaryOf({
    ...Object.fromEntries(POST_FIELD_NAMES.map((name) => [name, contentOf(name)])),
    $id: `${post}`.padStart(36, 'p'),
    $createdAt: `20${10 + (post % 10)}-01-01T00:00:00.000+00:00`,
    $updatedAt: '2026-01-01T00:00:00.000+00:00',
    $permissions: postPermissions('active', 'ann'),
    userId: 'ann',
  });
}

const hoards = fc
  .record({ sign: fc.constantFrom(...SIGNS), tags: fc.constantFrom(11, 2000), posts: fc.constantFrom(1, 30, 200) })
  .map(({ sign, tags, posts }) => Array.from({ length: posts }, (_, n) => largest(sign, tags, n)));

const bytesOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

test('tags, years, feeds and a part of the sitemap have a bounded size for posts of any documents', async () => {
  await fc.assert(
    fc.asyncProperty(hoards, async (posts) => {
      const reader = { everyPost: async () => posts } as unknown as PublicReader;
      const { tags, years } = await loadArchive(reader);
      expect(tags.length).toBeLessThanOrEqual(TAGS_LISTED);
      expect(bytesOf(tags)).toBeLessThan(TAGS_LISTED * 4 * KIBIBYTE);
      expect(bytesOf(years)).toBeLessThan(100 * 20 * KIBIBYTE);
      const texts = { of: async () => ({ summary: 's', html: '<p>s</p>' }) };
      for (const write of [rss, atom, jsonFeed]) {
        const feed = await feedOf(site, '/feed.xml', posts.slice(0, FEED_POSTS), texts as never, new Map());
        expect(bytesOf(write(feed))).toBeLessThan(FEED_POSTS * 20 * KIBIBYTE);
      }
      expect(bytesOf(urlSet(site, sitemapPart(sitemapPages(posts), 1)))).toBeLessThan(SITEMAP_PART * KIBIBYTE);
    }),
    { numRuns: 12 },
  );
}, 60_000);
