import { expect, it } from 'vitest';
import type { Post } from '../post.ts';
import type { Site } from '../site.ts';
import { postData } from './structured-data.ts';

const site = { name: 'Ink', url: 'https://example.com', endpoint: '/v1', bucketId: 'media', projectId: 'p' } as Site;
const times = { createdAt: '2026-01-05T10:00:00.000+00:00', updatedAt: '2026-02-01T10:00:00.000+00:00' };
const post = { id: 'one', title: 'One </script><!-- two', featuredImage: '', userId: 'ann', ...times } as Post;

it('describes a post and the way to it, and cannot end its script element', () => {
  const text = postData(site, post, { description: 'Words', author: 'Ann', words: 7 });
  expect(text).not.toContain('<');
  const [posting, crumbs] = JSON.parse(text)['@graph'];
  expect(posting).toMatchObject({
    '@type': 'BlogPosting',
    headline: 'One </script><!-- two',
    image: 'https://example.com/post/one/share.png',
    datePublished: '2026-01-05T10:00:00.000+00:00',
    author: { '@type': 'Person', name: 'Ann', url: 'https://example.com/author/ann' },
  });
  const way = ['/', '/archive/2026', '/post/one'].map((path) => `https://example.com${path}`);
  expect(crumbs.itemListElement.map(({ item }: { item: string }) => item)).toEqual(way);
});

it('describes a page by what it is, without a date or an author unless it shows them', () => {
  const described = { description: 'Words', author: 'Ann', words: 7 };
  const [page, crumbs] = JSON.parse(postData(site, { ...post, kind: 'page', tags: ['Ink'] }, described))['@graph'];
  expect(page).toMatchObject({ '@type': 'WebPage', url: 'https://example.com/one', publisher: { name: 'Ink' } });
  for (const name of ['author', 'datePublished', 'dateModified', 'wordCount', 'keywords'])
    expect(page).not.toHaveProperty(name);
  const places = crumbs.itemListElement.map(({ item }: { item: string }) => item);
  expect(places).toEqual(['https://example.com/', 'https://example.com/one']);
  const [dated] = JSON.parse(postData(site, { ...post, kind: 'page-with-byline' }, described))['@graph'];
  expect(dated).toMatchObject({ '@type': 'WebPage', author: { name: 'Ann' }, datePublished: post.createdAt });
});

it('names the picture of a post that has one, and the site where the author is not known', () => {
  const text = postData(site, { ...post, featuredImage: 'pic' }, { description: '', author: '', words: 0 });
  const [posting] = JSON.parse(text)['@graph'];
  expect(posting.image).toContain('https://example.com/v1/storage/buckets/media/files/pic/preview?');
  expect(posting.author.name).toBe('Ink');
});
