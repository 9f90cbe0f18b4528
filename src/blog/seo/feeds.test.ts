import { parseFragment } from 'parse5';
import { expect, it } from 'vitest';
import { SITE } from '../../../tests/support/example-site.ts';
import { elementsNamed, wellFormed } from '../../../tests/support/seo.ts';
import { FEED_TEXT_MOST, type TextTasks, textTasks } from '../content/text-tasks.ts';
import type { Post } from '../post.ts';
import { atom } from './atom.ts';
import { type FeedPath, feedOf } from './feed.ts';
import { createFeedTexts } from './feed-texts.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';

const site = { ...SITE, name: 'Ink & <Paper>', tagline: 'Words "and" more', url: 'https://example.com' };
const post = (change: Partial<Post> = {}): Post => ({
  ...{ id: 'one', title: 'One & <b>two</b>', featuredImage: '', status: 'active', userId: 'ann', permissions: [] },
  content: '<p>Text with <a href="/post/two">a link</a> and ]]> an end.</p><p><img src="/v1/x.png" alt="x"></p>',
  createdAt: '2026-01-05T10:00:00.000+00:00',
  updatedAt: '2026-02-01T10:00:00.000+00:00',
  ...change,
});
const authors = new Map([['ann', 'Ann "A" Smith']]);

const textsOf = (posts: readonly Post[], tasks: Pick<TextTasks, 'forFeed'> = textTasks) =>
  createFeedTexts({ siteUrl: site.url, tasks, read: async (id) => posts.find((each) => each.id === id) });
const feed = (path: FeedPath, posts: readonly Post[], hub?: string) =>
  feedOf(site, path, posts, textsOf(posts), authors, hub);

const titles = { title: 'a\u0000b\u0008c\ud800d\ufffee', content: '<p>x\u0001</p>' };
const hostile = post({ id: 'two', ...titles, userId: 'unknown' });
const [home, one, two] = ['https://example.com/', 'https://example.com/post/one', 'https://example.com/post/two'];

it.each([
  ['/feed.xml', rss, '<atom:link href="https://hub.example/?a&amp;b" rel="hub" />', '      <description>'],
  ['/atom.xml', atom, '<link rel="hub" href="https://hub.example/?a&amp;b" />', '<summary type="text">'],
  ['/feed.json', jsonFeed, '"hubs":[{"type":"WebSub","url":"https://hub.example/?a&b"}]', '"summary":'],
] as const)('%s names a hub, and has no summary of a text without words', async (path, write, named, summary) => {
  expect(write(await feed(path, [post()], 'https://hub.example/?a&b'))).toContain(named);
  expect(write(await feed(path, [post()]))).not.toContain('hub');
  const wordless = post({ content: '<figure><img src="/v1/x.png" alt=""></figure>' });
  expect(write(await feed(path, [post()]))).toContain(summary);
  expect(write(await feed(path, [wordless]))).not.toContain(summary);
});

const channel = rss(await feed('/feed.xml', [post(), hostile]));

it('RSS is well-formed, whatever titles and texts hold', () => {
  expect(wellFormed(channel)).toBe(true);
  expect(elementsNamed(channel, 'title')).toEqual(['Ink & &lt;Paper>', 'One & &lt;b>two&lt;/b>', 'abc\ufffdde']);
});

it('RSS has what RSS 2.0 demands of a channel and of an item', () => {
  expect(elementsNamed(channel, 'link')).toEqual([home, one, two]);
  expect(elementsNamed(channel, 'guid')).toEqual([one, two]);
  expect(elementsNamed(channel, 'pubDate')[0]).toBe('Mon, 05 Jan 2026 10:00:00 GMT');
  expect(elementsNamed(channel, 'lastBuildDate')).toEqual(['Sun, 01 Feb 2026 10:00:00 GMT']);
  expect(elementsNamed(channel, 'description')).toHaveLength(3);
  expect(channel).toContain('<atom:link href="https://example.com/feed.xml" rel="self" type="application/rss+xml" />');
});

it('RSS carries the whole text with absolute addresses, and the author or else the site', () => {
  expect(elementsNamed(channel, 'content:encoded')[0]).toBe(
    '<p>Text with <a href="https://example.com/post/two">a link</a> and ]]> an end.</p>' +
      '<p><img src="https://example.com/v1/x.png" alt="x"></p>',
  );
  expect(elementsNamed(channel, 'dc:creator')).toEqual(['Ann "A" Smith', 'Ink & <Paper>']);
});

it('RSS names the picture of a post that has one', async () => {
  expect(channel).not.toContain('media:content ');
  const pictured = rss(await feed('/feed.xml', [post({ featuredImage: 'pic' })]));
  expect(pictured).toMatch(/<media:content url="https:\/\/example\.com\/v1\/storage\/[^"]*&amp;height=630/);
});

const text = atom(await feed('/atom.xml', [post({ featuredImage: 'pic' }), hostile]));

it('Atom is well-formed, and has what RFC 4287 demands of a feed and of an entry', () => {
  expect(wellFormed(text)).toBe(true);
  expect(elementsNamed(text, 'id')).toEqual([home, one, two]);
  expect(elementsNamed(text, 'updated')).toEqual(Array(3).fill('2026-02-01T10:00:00.000+00:00'));
  expect(elementsNamed(text, 'published')[0]).toBe('2026-01-05T10:00:00.000+00:00');
  expect(elementsNamed(text, 'name')).toEqual(['Ann "A" Smith', 'Ink & <Paper>']);
  expect(text).toContain('<link rel="self" type="application/atom+xml" href="https://example.com/atom.xml" />');
});

it('JSON Feed is version 1.1 with the whole text', async () => {
  const read = JSON.parse(jsonFeed(await feed('/feed.json', [post()])));
  expect(read).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Ink & <Paper>',
    description: 'Words "and" more',
    home_page_url: 'https://example.com/',
    feed_url: 'https://example.com/feed.json',
    items: [
      {
        ...{ id: one, url: one },
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

it('a site without a post has feeds all the same', async () => {
  for (const write of [rss, atom]) expect(wellFormed(write(await feed('/feed.xml', [])))).toBe(true);
  expect(JSON.parse(jsonFeed(await feed('/feed.json', []))).items).toEqual([]);
});

/** Returns the words and elements that a feed reader shows for HTML. */
function shown(html: string): { words: string; elements: string[] } {
  const elements: string[] = [];
  const visit = (node: object): string => {
    if ('tagName' in node) elements.push(String(node.tagName));
    if ('value' in node) return String(node.value);
    return 'childNodes' in node ? (node.childNodes as object[]).map(visit).join('') : '';
  };
  return { words: visit(parseFragment(html)), elements };
}

const title = 'When <b> beats <strong>, &amp; and AT&T & co: <script>alert(1)</script>';
const words = 'Use <script>alert(1)</script> or <b>, write &lt; as &amp;lt; & <img src=x onerror=alert(1)>.';
const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const telling = post({ title, content: `<p>${escaped}</p>` });

it('words that look like markup are words in a reader of RSS, which takes titles and descriptions for HTML', async () => {
  const text = rss(await feed('/feed.xml', [telling]));
  const plain = (words: string) => ({ words, elements: [] });
  expect(elementsNamed(text, 'title').map(shown)).toEqual([site.name, title].map(plain));
  expect(elementsNamed(text, 'description').map(shown)).toEqual([site.tagline, words].map(plain));
  expect(elementsNamed(text, 'content:encoded').map(shown)).toEqual([{ words, elements: ['p'] }]);
});

it('words that look like markup are words in a reader of Atom, which is told that they are no HTML', async () => {
  const text = atom(await feed('/atom.xml', [telling]));
  expect(elementsNamed(text, 'title')).toEqual([site.name, title]);
  const named = /<(?:title|subtitle|summary)\b/g;
  expect(text.match(named)).toEqual(text.match(/<(?:title|subtitle|summary)\b(?= type="text">)/g));
  expect(elementsNamed(text, 'summary')).toEqual([words]);
  expect(elementsNamed(text, 'content').map(shown)).toEqual([{ words, elements: ['p'] }]);
});

it('words that look like markup are words in a reader of JSON Feed, whose titles and summaries are plain', async () => {
  const [item] = JSON.parse(jsonFeed(await feed('/feed.json', [telling]))).items;
  expect([item.title, item.summary]).toEqual([title, words]);
  expect(shown(item.content_html)).toEqual({ words, elements: ['p'] });
});

const letters = (length: number) => `<p>${'a'.repeat(length - '<p></p>'.length)}</p>`;
const long = (id: string, content: string) => post({ id, content });

it('a feed carries a text of the most bytes whole, and of a longer one the beginning with a link to it', async () => {
  const whole = letters(FEED_TEXT_MOST);
  const { items } = await feed('/feed.xml', [long('fits', whole), long('no', letters(FEED_TEXT_MOST + 1))]);
  expect(items[0]?.html === whole).toBe(true);
  expect(items[1]?.html).toMatch(/^<p>a{200,}…<\/p><p><a href="https:\/\/example\.com\/post\/no">Read more<\/a><\/p>$/);
});

it('a feed counts bytes, not letters', async () => {
  const { items } = await feed('/feed.xml', [long('a', `<p>${'é'.repeat(FEED_TEXT_MOST / 2)}</p>`)]);
  expect(items[0]?.html.length).toBeLessThan(1000);
});

it('a feed links to a long text without words', async () => {
  const pictures = '<img src="/v1/x.png" alt="">'.repeat(FEED_TEXT_MOST / 20);
  const { items } = await feed('/feed.xml', [long('a', pictures)]);
  expect(items[0]?.html).toBe('<p><a href="https://example.com/post/a">Read more</a></p>');
});

it('a feed carries ten of the longest texts whole, and of the posts after them the beginnings', async () => {
  const posts = Array.from({ length: 24 }, (_, i) => long(`p${i}`, letters(FEED_TEXT_MOST)));
  const { items } = await feed('/feed.xml', posts);
  expect(items.map(({ html }) => html.length === FEED_TEXT_MOST)).toEqual(posts.map((_, i) => i < 10));
});

function counted() {
  const made: string[] = [];
  const forFeed: TextTasks['forFeed'] = (html, page) => {
    made.push(html);
    return textTasks.forFeed(html, page);
  };
  return { made, tasks: { forFeed } };
}

it('the texts of feeds are made once for all feeds, and again for a post that was changed', async () => {
  const { made, tasks } = counted();
  const posts = [post({ id: 'a', content: 'A' }), post({ id: 'b', content: 'B' })];
  const texts = textsOf(posts, tasks);
  const all = () =>
    Promise.all(['/feed.xml', '/atom.xml'].map((path) => feedOf(site, path as FeedPath, posts, texts, authors)));
  await all();
  await all();
  expect(made).toEqual(['A', 'B']);
  posts[1] = post({ id: 'b', content: 'B2', updatedAt: '2026-02-02T10:00:00.000+00:00' });
  const [changed] = await all();
  expect(changed?.items.map(({ html }) => html)).toEqual(['A', 'B2']);
  expect(made).toEqual(['A', 'B', 'B2']);
});

it('the texts of feeds are not kept under the version of a list that is older than the post', async () => {
  const { made, tasks } = counted();
  const posts = [post({ content: 'new', updatedAt: '2026-02-02T10:00:00.000+00:00' })];
  const texts = textsOf(posts, tasks);
  for (let i = 0; i < 2; i++) expect((await texts.of(post()))?.html).toBe('new');
  expect(made).toHaveLength(2);
});

it('the texts of feeds are not kept when they could not be had', async () => {
  let fails = true;
  const read = async () => (fails ? Promise.reject(new Error('no answer')) : post());
  const texts = createFeedTexts({ siteUrl: site.url, tasks: textTasks, read });
  await expect(texts.of(post())).rejects.toThrow('no answer');
  fails = false;
  expect((await texts.of(post()))?.summary).toContain('Text with');
});

it('the texts of posts that feeds no longer show are forgotten, the oldest first', async () => {
  const { made, tasks } = counted();
  const posts = Array.from({ length: 49 }, (_, i) => post({ id: `p${i}`, content: `${i}` }));
  const texts = textsOf(posts, tasks);
  for (const each of [...posts, posts[48], posts[0]]) await texts.of(each as Post);
  expect(made).toEqual([...posts.keys(), 0].map(String));
});

it('the texts of feeds leave out a post that is gone since the list was made', async () =>
  expect((await feedOf(site, '/feed.xml', [post()], textsOf([]), authors)).items).toEqual([]));
