/** Old addresses lead to the new posts, on the server and in exports; internal links go to the new addresses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedirects, REDIRECTS_FILE, readRedirects } from '#redirects/redirects-file.ts';
import { type Files, type Importing, openImporting } from '../../tests/support/importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const wordpress = (id: number, name: string, html: string) =>
  `<item><title>${name}</title><link>https://old.test/2020/01/${name}/</link><dc:creator>a</dc:creator><content:encoded>${xml(html)}</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_name>${name}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;
const blogger = (name: string, html: string) =>
  `<entry><id>${name}</id><published>2020-01-02T03:04:05Z</published><category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#post"/><title>T</title><content type="html">${xml(html)}</content><link rel="alternate" href="https://old.test/2020/01/${name}.html"/></entry>`;
const rss = (name: string, html: string) =>
  `<item><title>T</title><link>https://old.test/f/${name}</link><guid>${name}</guid><description>${xml(html)}</description></item>`;
const medium = (id: string, html: string) =>
  `<html><body><article class="h-entry"><header><h1 class="p-name">T</h1></header><section data-field="body" class="e-content">${html}</section><footer><p><time class="dt-published" datetime="2020-01-02T03:04:05.678Z">x</time></p><p><a href="https://medium.com/@a/t-${id}" class="p-canonical">x</a></p></footer></article></body></html>`;
const matter = (fields: string, body: string) => `---\n${fields}\n---\n\n${body}\n`;
const link = (to: string) => `<p><a href="${to}#part">to</a></p>`;

/** Format, two posts (the first links to the second), the second's old address, the old site's URL. */
const BLOGS: readonly [string, Files, string, string | undefined][] = [
  [
    'wordpress',
    {
      'export.xml': `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.test</wp:base_blog_url>${wordpress(1, 'wp-one', link('https://old.test/2020/01/wp-two/'))}${wordpress(2, 'wp-two', '<p>x</p>')}</channel></rss>`,
    },
    '/2020/01/wp-two/',
    undefined,
  ],
  [
    'ghost',
    {
      'ghost.json': JSON.stringify({
        db: [
          {
            meta: { version: '5.0.0' },
            data: {
              posts: [
                { id: '1', title: 'A', slug: 'gh-one', status: 'published', html: link('__GHOST_URL__/gh-two/') },
                { id: '2', title: 'B', slug: 'gh-two', status: 'published', html: '<p>x</p>' },
              ],
            },
          },
        ],
      }),
    },
    '/gh-two/',
    undefined,
  ],
  [
    'blogger',
    {
      'blog-01-02-2020.xml': `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>tag:blogger.com,1999:blog-1</id><link rel="alternate" href="https://old.test/"/>${blogger('b-one', link('https://old.test/2020/01/b-two.html'))}${blogger('b-two', 'x')}</feed>`,
    },
    '/2020/01/b-two.html',
    undefined,
  ],
  [
    'medium',
    {
      'posts/2020-01-02_M-one-bbbbbbbbbb01.html': medium('bbbbbbbbbb01', link('https://medium.com/@a/t-bbbbbbbbbb02')),
      'posts/2020-01-02_M-two-bbbbbbbbbb02.html': medium('bbbbbbbbbb02', '<p>x</p>'),
    },
    '/@a/t-bbbbbbbbbb02',
    undefined,
  ],
  [
    'substack',
    {
      'posts.csv':
        'post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url\n901.s-one,2020-01-02T03:04:05.000Z,true,,newsletter,everyone,A,,\n902.s-two,2020-01-02T03:04:05.000Z,true,,newsletter,everyone,B,,\n',
      'posts/901.s-one.html': link('https://old.test/p/s-two'),
      'posts/902.s-two.html': '<p>x</p>',
    },
    '/p/s-two',
    'https://old.test',
  ],
  [
    'hashnode',
    {
      'c1.md': matter(
        'title: A\ncuid: c1\nslug: hn-one\ndatePublished: Sun Oct 25 2015 01:02:03 GMT+0000',
        '[to](https://old.test/hn-two#part)',
      ),
      'c2.md': matter('title: B\ncuid: c2\nslug: hn-two\ndatePublished: Sun Oct 25 2015 01:02:03 GMT+0000', 'x'),
    },
    '/hn-two',
    'https://old.test',
  ],
  [
    'devto',
    {
      'd-one.md': matter(
        'title: A\npublished: true\nseries: S\ncanonical_url: https://dev.to/a/d-one',
        '[to](https://dev.to/a/d-two#part)',
      ),
      'd-two.md': matter('title: B\npublished: true\nseries: S\ncanonical_url: https://dev.to/a/d-two', 'x'),
    },
    '/a/d-two',
    undefined,
  ],
  [
    'feed',
    {
      'feed.xml': `<?xml version="1.0"?><rss version="2.0"><channel><link>https://old.test/</link>${rss('f-one', link('https://old.test/f/f-two'))}${rss('f-two', '<p>x</p>')}</channel></rss>`,
    },
    '/f/f-two',
    undefined,
  ],
  [
    'markdown',
    {
      'md-one.md': matter('title: A', '[to](https://old.test/way/md-two/#part)'),
      'md-two.md': matter('title: B\naliases: [/way/md-two/]', 'x'),
    },
    '/way/md-two/',
    'https://old.test',
  ],
];

it.each(BLOGS)(
  '%s: an old address leads to its post, and links to it are links to the post',
  async (format, files, address, oldSite) => {
    const [[name, text] = [], ...more] = Object.entries(files);
    const isOne = more.length === 0 && name !== undefined && text !== undefined;
    const path = isOne ? await importing.file(name, text) : await importing.folder(files);
    const { posts, results } = await importing.take(path, { format, ...(oldSite && { oldSite }) });
    const linking = posts.find((post) => post?.content.includes('>to</a>')) ?? expect.fail(JSON.stringify(results));
    const linked = posts.find((post) => post && post !== linking) ?? expect.fail(JSON.stringify(results));
    expect(linking.content).toBe(`<p><a href="/post/${linked.id}#part">to</a></p>`);
    const file = join(importing.site.folder, 'data', REDIRECTS_FILE);
    expect(existsSync(file)).toBe(true);
    const server = openRedirects(file, {
      siteUrl: 'https://new.test',
      isPublished: async () => true,
      warn: (sentence) => expect.fail(sentence),
    });
    expect(await server.targetOf(address)).toBe(`/post/${linked.id}`);
    // Exports write the same lines for their hosts.
    expect((await readRedirects(file)).filter(({ to }) => to === `/post/${linked.id}`)).not.toEqual([]);
  },
);
