import { describe, expect, it } from 'vitest';
import type { Post } from '../post.ts';
import type { Site } from '../site.ts';
import { atom } from './atom.ts';
import { feedOf } from './feed.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';
import { elementsNamed, wellFormed } from './testing.ts';

const site: Site = {
  name: 'Ink & <Paper>',
  tagline: 'Words "and" more',
  language: 'en',
  url: 'https://example.com',
  endpoint: '/v1',
  projectId: 'p',
  databaseId: 'd',
  collectionId: 'c',
  revisionsId: 'revisions',
  bucketId: 'media',
};
const post = (change: Partial<Post> = {}): Post => ({
  id: 'one',
  title: 'One & <b>two</b>',
  content: '<p>Text with <a href="/post/two">a link</a> and ]]> an end.</p><p><img src="/v1/x.png" alt="x"></p>',
  featuredImage: '',
  status: 'active',
  userId: 'ann',
  createdAt: '2026-01-05T10:00:00.000+00:00',
  updatedAt: '2026-02-01T10:00:00.000+00:00',
  permissions: [],
  ...change,
});
const authors = new Map([['ann', 'Ann "A" Smith']]);

const hostile = post({
  id: 'two',
  title: 'a\u0000b\u0008c\ud800d\ufffee',
  content: '<p>x\u0001</p>',
  userId: 'unknown',
});

it.each([
  ['/feed.xml', rss, '<atom:link href="https://hub.example/?a&amp;b" rel="hub" />'],
  ['/atom.xml', atom, '<link rel="hub" href="https://hub.example/?a&amp;b" />'],
  ['/feed.json', jsonFeed, '"hubs":[{"type":"WebSub","url":"https://hub.example/?a&b"}]'],
] as const)('%s names the hub, where there is one', async (path, write, named) => {
  expect(write(await feedOf(site, path, [post()], authors, 'https://hub.example/?a&b'))).toContain(named);
  expect(write(await feedOf(site, path, [post()], authors))).not.toContain('hub');
});

it.each([
  ['/feed.xml', rss, '      <description>'],
  ['/atom.xml', atom, '<summary>'],
  ['/feed.json', jsonFeed, '"summary":'],
] as const)('%s has no summary of a text without words', async (path, write, summary) => {
  const wordless = post({ content: '<figure><img src="/v1/x.png" alt=""></figure>' });
  expect(write(await feedOf(site, path, [post()], authors))).toContain(summary);
  expect(write(await feedOf(site, path, [wordless], authors))).not.toContain(summary);
});

describe('RSS', async () => {
  const text = rss(await feedOf(site, '/feed.xml', [post(), hostile], authors));

  it('is well-formed, whatever titles and texts hold', () => {
    expect(wellFormed(text)).toBe(true);
    expect(elementsNamed(text, 'title')).toEqual(['Ink & <Paper>', 'One & <b>two</b>', 'abc\ufffdde']);
  });

  it('has what RSS 2.0 demands of a channel and of an item', () => {
    expect(elementsNamed(text, 'link')).toEqual([
      'https://example.com/',
      'https://example.com/post/one',
      'https://example.com/post/two',
    ]);
    expect(elementsNamed(text, 'guid')).toEqual(['https://example.com/post/one', 'https://example.com/post/two']);
    expect(elementsNamed(text, 'pubDate')[0]).toBe('Mon, 05 Jan 2026 10:00:00 GMT');
    expect(elementsNamed(text, 'lastBuildDate')).toEqual(['Sun, 01 Feb 2026 10:00:00 GMT']);
    expect(elementsNamed(text, 'description')).toHaveLength(3);
    expect(text).toContain('<atom:link href="https://example.com/feed.xml" rel="self" type="application/rss+xml" />');
  });

  it('carries the whole text with absolute addresses, and the author or else the site', () => {
    expect(elementsNamed(text, 'content:encoded')[0]).toBe(
      '<p>Text with <a href="https://example.com/post/two">a link</a> and ]]> an end.</p>' +
        '<p><img src="https://example.com/v1/x.png" alt="x"></p>',
    );
    expect(elementsNamed(text, 'dc:creator')).toEqual(['Ann "A" Smith', 'Ink & <Paper>']);
  });

  it('names the picture of a post that has one', async () => {
    expect(text).not.toContain('media:content ');
    const pictured = rss(await feedOf(site, '/feed.xml', [post({ featuredImage: 'pic' })], authors));
    expect(pictured).toMatch(/<media:content url="https:\/\/example\.com\/v1\/storage\/[^"]*&amp;height=630/);
  });
});

describe('Atom', async () => {
  const text = atom(await feedOf(site, '/atom.xml', [post({ featuredImage: 'pic' }), hostile], authors));

  it('is well-formed, and has what RFC 4287 demands of a feed and of an entry', () => {
    expect(wellFormed(text)).toBe(true);
    expect(elementsNamed(text, 'id')).toEqual([
      'https://example.com/',
      'https://example.com/post/one',
      'https://example.com/post/two',
    ]);
    expect(elementsNamed(text, 'updated')).toEqual([
      '2026-02-01T10:00:00.000+00:00',
      '2026-02-01T10:00:00.000+00:00',
      '2026-02-01T10:00:00.000+00:00',
    ]);
    expect(elementsNamed(text, 'published')[0]).toBe('2026-01-05T10:00:00.000+00:00');
    expect(elementsNamed(text, 'name')).toEqual(['Ann "A" Smith', 'Ink & <Paper>']);
    expect(text).toContain('<link rel="self" type="application/atom+xml" href="https://example.com/atom.xml" />');
  });

  it('carries the whole text', () => {
    expect(elementsNamed(text, 'content')[0]).toContain('<a href="https://example.com/post/two">');
  });
});

describe('JSON Feed', () => {
  it('is version 1.1 with the whole text', async () => {
    const feed = JSON.parse(jsonFeed(await feedOf(site, '/feed.json', [post()], authors)));
    expect(feed).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Ink & <Paper>',
      description: 'Words "and" more',
      home_page_url: 'https://example.com/',
      feed_url: 'https://example.com/feed.json',
      items: [
        {
          id: 'https://example.com/post/one',
          url: 'https://example.com/post/one',
          title: 'One & <b>two</b>',
          summary: 'Text with a link and ]]> an end.',
          content_html: expect.stringContaining('<a href="https://example.com/post/two">'),
          date_published: '2026-01-05T10:00:00.000+00:00',
          date_modified: '2026-02-01T10:00:00.000+00:00',
          authors: [{ name: 'Ann "A" Smith', url: 'https://example.com/author/ann' }],
        },
      ],
    });
  });
});

it('a site without a post has feeds all the same', async () => {
  for (const write of [rss, atom]) expect(wellFormed(write(await feedOf(site, '/feed.xml', [], new Map())))).toBe(true);
  expect(JSON.parse(jsonFeed(await feedOf(site, '/feed.json', [], new Map()))).items).toEqual([]);
});

it('whoever else is served does not wait for all texts of a feed', async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  await feedOf(site, '/feed.xml', Array(5).fill(post()), authors);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(4);
});
