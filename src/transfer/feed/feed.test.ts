import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';

let importing: Importing;
let run = 0;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const take = async (text: string | Buffer, people = false) =>
  importing.take(await importing.file('feed.xml', text), { people });
const item = (inner: string) => {
  run += 1;
  return `<item><title>T ${run}</title><link>https://old.test/f-${run}</link><guid>g${run}</guid>${inner}</item>`;
};
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><link>https://old.test/</link>${items.join('')}</channel></rss>`;

it('takes RSS: the whole text where it is there, else the description, which is said', async () => {
  const { format, posts, results } = await take(
    rss(
      item(
        '<description>short</description><content:encoded><![CDATA[<p>whole</p>]]></content:encoded><pubDate>Thu, 02 Jan 2020 03:04:05 +0100</pubDate>',
      ),
      item('<description>&lt;p&gt;begins&lt;/p&gt;</description>'),
    ),
  );
  expect(format).toBe('feed');
  expect(posts[0]).toMatchObject({ content: '<p>whole</p>', createdAt: '2020-01-02T02:04:05.000+00:00' });
  expect(posts[1]?.content).toBe('<p>begins</p>');
  expect(results[0]?.notes.join()).not.toContain('beginning');
  expect(results[1]?.notes.join()).toContain('beginning');
});

it('links to the episode of a podcast, unless its text does', async () => {
  const episode = 'https://s.test/1.mp3?a=1&b=2';
  const enclosure = `<enclosure type="audio/mpeg" length="1" url="${episode.replace('&', '&amp;')}"/>`;
  const { posts } = await take(
    rss(
      item(`<description>About it</description>${enclosure}`),
      item(`<content:encoded><![CDATA[<p><a href="${episode}">here</a></p>]]></content:encoded>${enclosure}`),
    ),
  );
  const href = 'href="https://s.test/1.mp3?a=1&amp;b=2"';
  expect(posts[0]?.content.split(href)).toHaveLength(2);
  expect(posts[0]?.content).toContain('About it');
  expect(posts[1]?.content.split(href)).toHaveLength(2);
});

it('takes Atom, whose text is HTML, XHTML in its order, or plain', async () => {
  const entry = (content: string) =>
    `<entry><id>urn:${++run}</id><title type="html">A &amp;amp; B</title><link href="https://old.test/a-${run}"/><updated>2020-01-02T03:04:05Z</updated><author><name>Ann</name><email>ann${run}@example.com</email></author>${content}</entry>`;
  const { posts, results } = await take(
    `<feed xmlns="http://www.w3.org/2005/Atom">${entry('<content type="html">&lt;p&gt;a&lt;/p&gt;</content>')}${entry('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">one <b>two</b> three<br/>&lt;four</div></content>')}${entry('<content>1 &lt; 2</content>')}</feed>`,
    true,
  );
  expect(results.map(({ slug }) => slug)).toEqual([`a-${run - 2}`, `a-${run - 1}`, `a-${run}`]);
  expect(posts.map((post) => post?.content)).toEqual([
    '<p>a</p>',
    '<p>one <strong>two</strong> three<br>&lt;four</p>',
    '<p>1 &lt; 2</p>',
  ]);
  expect(posts[0]?.title).toBe('A & B');
  expect(posts[2]?.userId).toBe((await importing.admin.authorByEmail(`ann${run}@example.com`))?.id);
});

it('takes JSON Feed', async () => {
  const { format, posts } = await take(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: 'https://old.test/',
      items: [
        { id: 'j1', url: 'https://old.test/j-1', title: '<A>', content_html: '<p>a <a href="/j-2">b</a></p>' },
        { id: 'j2', url: 'https://old.test/j-2', title: 'B', content_text: 'one\n\ntwo < three' },
      ],
    }),
  );
  expect(format).toBe('feed');
  expect(posts[0]).toMatchObject({ title: '<A>', content: '<p>a <a href="/post/j-2">b</a></p>' });
  expect(posts[1]?.content).toBe('<p>one</p><p>two &lt; three</p>');
});

it('reads the encoding that the file names', async () => {
  const text = rss(item('<description>caf\xe9</description>')).replace('"1.0"', '"1.0" encoding="iso-8859-1"');
  expect((await take(Buffer.from(text, 'latin1'))).posts[0]?.content).toBe('<p>café</p>');
});

it('refuses a damaged feed in a sentence', async () => {
  await expect(take('<rss><channel><item></channel></rss>')).rejects.toThrow('damaged');
  await expect(take('{"version":"https://jsonfeed.org/version/1"}')).rejects.toThrow('no JSON Feed');
});
