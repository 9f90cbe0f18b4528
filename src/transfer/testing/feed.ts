import { bytes, escaped, link, type Rows } from './rows.ts';

let count = 0;
const item = (inner: string, name = `f-${++count}`) =>
  `<item><title>T ${name}</title><link>https://old.test/f/${name}</link><guid>${name}</guid>${inner}</item>`;
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><link>https://old.test/</link>${items.join('')}</channel></rss>`;
const entry = (content: string, name: string) =>
  `<entry><id>urn:${name}</id><title type="html">A &amp;amp; B</title><link href="https://old.test/${name}"/><updated>2020-01-02T03:04:05Z</updated><author><name>Ann</name><email>ann-${name}@example.com</email></author>${content}</entry>`;

const episode = 'https://s.test/1.mp3?a=1&b=2';
const enclosure = `<enclosure type="audio/mpeg" length="1" url="${escaped(episode)}"/>`;

export const FEED: Rows = {
  'takes the whole text of RSS where it is there, else the description with a note': [
    rss(
      item(
        '<description>short</description><content:encoded><![CDATA[<p>whole</p>]]></content:encoded><pubDate>Thu, 02 Jan 2020 03:04:05 +0100</pubDate>',
      ),
      item('<description>&lt;p&gt;begins&lt;/p&gt;</description>'),
    ),
    [
      { content: '<p>whole</p>', createdAt: '2020-01-02T02:04:05.000+00:00', noNote: 'beginning' },
      { content: '<p>begins</p>', notes: 'beginning' },
    ],
  ],
  'links posts to each other, and old addresses to posts': [
    rss(
      item(`<description>${escaped(link('https://old.test/f/f-to#part', 'to'))}</description>`),
      item('<description>x</description>', 'f-to'),
    ),
    [link('/post/2#h-part', 'to'), { address: '/f/f-to' }],
  ],
  'links to the episode of a podcast, unless its text does': [
    rss(
      item(`<description>About it</description>${enclosure}`),
      item(`<content:encoded><![CDATA[<p><a href="${episode}">here</a></p>]]></content:encoded>${enclosure}`),
    ),
    [`${link(escaped(episode))}<p>About it</p>`, link(escaped(episode), 'here')],
  ],
  'takes Atom, whose text is HTML, XHTML in its order, or plain': [
    `<feed xmlns="http://www.w3.org/2005/Atom">${entry('<content type="html">&lt;p&gt;a&lt;/p&gt;</content>', 'atom-1')}${entry('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">one <b>two</b> three<br/>&lt;four</div></content>', 'atom-2')}${entry('<content>1 &lt; 2</content>', 'atom-3')}</feed>`,
    [
      { id: 'atom-1', content: '<p>a</p>', title: 'A & B' },
      { id: 'atom-2', content: '<p>one <strong>two</strong> three<br>&lt;four</p>' },
      { id: 'atom-3', content: '<p>1 &lt; 2</p>', email: 'ann-atom-3@example.com' },
    ],
    { people: true },
  ],
  'takes JSON Feed': [
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: 'https://old.test/',
      items: [
        { id: 'j1', url: 'https://old.test/j-1', title: '<A>', content_html: '<p>a <a href="/j-2">b</a></p>' },
        { id: 'j2', url: 'https://old.test/j-2', title: 'B', content_text: 'one\n\ntwo < three' },
      ],
    }),
    [{ title: '<A>', content: '<p>a <a href="/post/2">b</a></p>' }, '<p>one</p><p>two &lt; three</p>'],
  ],
  'reads the encoding that the file names': [
    bytes(rss(item('<description>caf\xe9</description>')).replace('"1.0"', '"1.0" encoding="iso-8859-1"')),
    '<p>café</p>',
  ],
  'refuses a damaged feed in a sentence': ['<rss><channel><item></channel></rss>', new Error('damaged')],
  'refuses a damaged JSON Feed': ['{"version":"https://jsonfeed.org/version/1"}', new Error('not a valid JSON Feed')],
};
