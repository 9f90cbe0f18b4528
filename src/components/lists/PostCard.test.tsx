import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Site } from '#blog/site.ts';
import { PostCard, type PostCardProps } from './PostCard.tsx';

const site = { url: 'https://example.com', endpoint: '/v1', projectId: 'common-ink', bucketId: 'media' } as Site;
const post = { id: 'on-ink', title: 'On ink', featuredImage: 'f1', createdAt: '2026-11-03T23:30:00.000+00:00' };
const draw = (given: Partial<PostCardProps> = {}) =>
  renderToStaticMarkup(<PostCard site={site} post={post} {...given} />);

it('says the day in UTC, and the author where known', () => {
  expect(draw()).toContain('<time dateTime="2026-11-03">November 3, 2026</time>');
  expect(draw({ author: 'Ada' })).toContain('<bdi class="text-ink">Ada</bdi>');
  expect(draw()).not.toContain('<bdi');
});

it('asks for WebP previews and names where to fall back to: the file, then its download', () => {
  expect(draw()).toMatch(/srcSet="[^"]*preview\?width=320&amp;height=213&amp;output=webp[^"]* 320w/);
  expect(draw()).toMatch(/data-fallback="\S*\/f1\/view\?\S* \S*\/f1\/download\?\S*"/);
});

it('loads its picture late, unless it is among the first', () => {
  expect(draw()).toContain('loading="lazy"');
  expect(draw({ priority: true })).toMatch(/loading="eager"[^>]*fetchPriority="high"/);
});

it('leaves its picture out of lists without pictures, and shows words only if it is given any', () => {
  expect(draw({ list: 'plain' })).not.toContain('<img');
  expect(draw({ list: 'grid' })).toContain('<img');
  expect(draw()).not.toContain('card-words');
  expect(draw({ words: 'On & on' })).toContain('<p class="card-words" dir="auto">On &amp; on</p>');
});
