import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { formatOf, openCollection } from '../formats.ts';
import { exitCode } from '../write/report.ts';
import { writePosts } from '../write/write.ts';

let site: EmbeddedSite;
let admin: Admin;
let run = 0;
let userId: string;

beforeAll(async () => {
  site = await openEmbeddedSite();
  admin = createAdmin(site.target);
});
beforeEach(async () => {
  run++;
  userId = (await admin.createAuthor({ email: `w${run}@example.com`, name: 'W' })).user.id;
});
afterAll(() => site.close());

interface Item {
  id?: number;
  name?: string;
  status?: string;
  content?: string;
  more?: string;
  type?: string;
  title?: string;
}

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const item = ({ id = 1, name = `w${run}-${id}`, status = 'publish', type = 'post', title = 'A', ...given }: Item) =>
  `<item><title>${title}</title><link>https://old.test/2020/01/${name}/</link><dc:creator>anna</dc:creator><content:encoded>${cdata(given.content ?? 'text')}</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>${name}</wp:post_name><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>${given.more ?? ''}</item>`;
const wxr = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.test</wp:base_blog_url><wp:author><wp:author_login>anna</wp:author_login><wp:author_email>anna${run}@example.com</wp:author_email><wp:author_display_name>Anna</wp:author_display_name></wp:author>${items.join('\n')}</channel></rss>`;

async function take(text: string | Buffer, { people = false, dryRun = false, media = '' } = {}) {
  const path = join(site.folder, `export-${run}.xml`);
  await writeFile(path, text);
  const collection = await openCollection('wordpress', { path, media: media || undefined });
  const dataDirectory = join(site.folder, `data-${run}`);
  const results = await writePosts(collection, {
    admin,
    site: site.site,
    userId: people ? undefined : userId,
    dataDirectory,
    place: path,
    dryRun,
  });
  const posts = await Promise.all(results.map(({ slug }) => (slug ? admin.post(slug) : undefined)));
  return { results, posts, content: posts[0]?.content };
}

it('makes paragraphs of the blank lines of classic posts, not inside of pre, lists and blocks', async () => {
  const content =
    'one\ntwo\n\n<pre>a\n\nb</pre>\nthree\n<ul>\n<li>x</li>\n\n<li>y</li>\n</ul>\n<blockquote>q\n\nr</blockquote>';
  const taken = await take(wxr(item({ content })));
  expect(taken.content?.replace(/\n/g, '|')).toBe(
    '<p>one<br>|two</p>|<pre><code>a||b</code></pre><p>three</p>|<ul>|<li>x</li>||<li>y</li>|</ul><blockquote><p>q</p>|<p>r</p>|</blockquote>',
  );
});

it('takes blocks without their comments, a reusable block by its number, and names one without a text', async () => {
  const content =
    '<!-- wp:paragraph {"a":{"b":1}} --><p>a</p><!-- /wp:paragraph --><!-- wp:block {"ref":7} /--><!-- wp:latest-posts /-->';
  const block = item({ id: 7, type: 'wp_block', content: '<!-- wp:paragraph --><p>shared</p><!-- /wp:paragraph -->' });
  const { results, content: html } = await take(wxr(item({ content }), block));
  expect(html).toBe('<p>a</p><p>shared</p>');
  expect(results[0]?.losses).toEqual([expect.stringContaining('wp:latest-posts')]);
  expect(exitCode(results)).toBe(1);
  expect(exitCode(results, true)).toBe(0);
});

it.each([
  ['[embed]https://v.test/1[/embed]', '<p><a href="https://v.test/1">https://v.test/1</a></p>'],
  ['[code lang="js"]a < b[/code]', '<pre><code class="language-js">a &lt; b</code></pre>'],
  ['[cce_php lang="php"]<table><b>[/cce_php]', '<pre><code class="language-php">&lt;table&gt;&lt;b&gt;</code></pre>'],
  ['[php]a < b[/php] and [php]', '<pre><code class="language-php">a &lt; b</code></pre><p>and [php]</p>'],
  ['he said [sic] and [1]', '<p>he said [sic] and [1]</p>'],
  ['[[gallery]]', '<p>[gallery]</p>'],
  ['[box color="red"]kept [b x="1"] text[/box]', '<p>kept <code>[b x="1"]</code> text</p>'],
])('reads the shortcode in %s', async (content, html) => {
  expect((await take(wxr(item({ content })))).content).toBe(html);
});

it('takes the original of a sized picture out of a folder, with its caption, and the featured picture by its number', async () => {
  const media = join(site.folder, `media-${run}`);
  await mkdir(join(media, '2020'), { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, '2020', 'a.png'), await red.png().toBuffer());
  const url = 'https://old.test/wp-content/uploads/2020/a.png';
  const attachment = item({ id: 9, type: 'attachment', more: `<wp:attachment_url>${url}</wp:attachment_url>` });
  const content = `[caption id="x"]<img src="${url.replace('.png', '-300x200.png')}" alt="red"> A sheet[/caption]`;
  const thumbnail = `<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>`;
  const { posts, results, content: html } = await take(wxr(attachment, item({ content, more: thumbnail })), { media });
  expect(html?.replace(/src="[^"]*"/, 'src')).toBe(
    '<figure><img src alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure>',
  );
  expect(posts[0]?.featuredImage).toMatch(/^[0-9a-f]{20}-9x9$/);
  expect(results[0]?.losses).toBeUndefined();
});

it('takes the original of a picture that ends in -scaled', async () => {
  const media = join(site.folder, `sized-${run}`);
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, 'b.png'), await red.png().toBuffer());
  const url = 'https://old.test/wp-content/uploads/b.png';
  const attachment = item({ id: 9, type: 'attachment', more: `<wp:attachment_url>${url}</wp:attachment_url>` });
  const content = `x <img src="${url.replace('.png', '-scaled.png')}" alt="red">`;
  expect((await take(wxr(item({ content }), attachment), { media })).content).toMatch(/src="\/v1\/[^"]*" alt="red"/);
});

it('reads a file whose namespaces are missing', async () => {
  const text = wxr(item({})).replace(/ xmlns:\w+="[^"]*"/g, '');
  expect((await take(text)).posts[0]).toMatchObject({ title: 'A', content: '<p>text</p>', status: 'active' });
});

it('shows a gallery without numbers as the pictures that were attached to its post, by wp:post_parent', async () => {
  const url = (name: string) => `https://old.test/wp-content/uploads/${name}.png`;
  const picture = (id: number, parent: number) =>
    item({
      id,
      type: 'attachment',
      more: `<wp:post_parent>${parent}</wp:post_parent><wp:attachment_url>${url(`p${id}`)}</wp:attachment_url>`,
    });
  const { content } = await take(
    wxr(picture(7, 1), picture(8, 2), item({ content: '[gallery columns="2"]' }), picture(9, 1)),
  );
  expect(content?.replace(/\n/g, '')).toBe(
    [7, 9].map((id) => `<figure><img src="${url(`p${id}`)}" alt=""></figure>`).join(''),
  );
});

it('keeps the address of a picture that cannot be had, and says so', async () => {
  const url = 'https://old.test/wp-content/uploads/gone.png';
  const { results, content } = await take(wxr(item({ content: `<img src="${url}" alt="g">` })));
  expect(content).toBe(`<p><img src="${url}" alt="g"></p>`);
  expect(results[0]?.losses).toEqual([expect.stringContaining(url)]);
});

it.each(['draft', 'pending', 'private', 'trash', 'future'])(
  'takes a post that is %s in as inactive',
  async (status) => {
    const { posts, results } = await take(wxr(item({ status })));
    expect(posts[0]?.status).toBe('inactive');
    expect(results[0]?.notes.join()).toContain(`its status was ${status}`);
  },
);

it('takes a post with a password in as inactive', async () => {
  const { posts } = await take(wxr(item({ more: '<wp:post_password>x</wp:post_password>' })));
  expect(posts[0]?.status).toBe('inactive');
});

it('knows no date in 0000-00-00 00:00:00', async () => {
  const text = wxr(item({ status: 'draft' })).replace('2020-01-02 03:04:05', '0000-00-00 00:00:00');
  const { posts } = await take(text);
  expect(new Date(posts[0]?.createdAt ?? '').getUTCFullYear()).toBeGreaterThan(2000);
});

it('reads percent-encoded slugs, CDATA in CDATA, entities in titles and control characters', async () => {
  const { posts, results } = await take(
    wxr(
      item({
        name: '%e6%97%a5',
        title: '&lt;script&gt;x()&lt;/script&gt; A &amp;amp; B&nbsp;C',
        content: 'a ]]> b\u0007',
      }),
    ),
  );
  expect(results[0]?.slug).toMatch(/^ri/);
  expect(posts[0]).toMatchObject({ content: '<p>a ]]&gt; b</p>', title: expect.stringContaining('A & B C') });
});

it('makes each author an account without a password, once, and a second run changes nothing', async () => {
  const text = wxr(item({}));
  const planned = await take(text, { people: true, dryRun: true });
  expect(planned.posts).toEqual([undefined]);
  const first = await take(text, { people: true });
  expect(planned.results).toEqual(first.results);
  const anna = await admin.authorByEmail(`anna${run}@example.com`);
  expect(first.posts[0]?.userId).toBe(anna?.id);
  const second = await take(text, { people: true });
  expect(second.results).toMatchObject([{ outcome: 'unchanged' }]);
});

it('gives two posts with one slug two addresses', async () => {
  const { results } = await take(wxr(item({ id: 1, name: `same${run}` }), item({ id: 2, name: `same${run}` })));
  expect(new Set(results.map(({ slug }) => slug)).size).toBe(2);
});

it('never unserialises PHP, and lists what is no post', async () => {
  const meta = `<wp:postmeta><wp:meta_key>m</wp:meta_key><wp:meta_value>${cdata('O:8:"Evil":1:{s:1:"a";s:1:"]";}')}</wp:meta_value></wp:postmeta>`;
  const { results } = await take(
    wxr(item({ more: meta }), item({ id: 2, type: 'nav_menu_item' }), item({ id: 3, status: 'auto-draft' })),
  );
  expect(results.map(({ outcome }) => outcome).sort()).toEqual(['skipped', 'skipped', 'taken']);
});

it('refuses entity bombs and external entities by their DTD', async () => {
  const bomb = wxr(item({})).replace('<rss', '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss');
  await expect(take(bomb)).rejects.toThrow('a DTD');
  expect((await take(wxr(item({ title: '&a;' })))).posts[0]?.title).toBe('&a;');
});

it('takes the footnotes of the block editor out of the field that holds them', async () => {
  const content =
    '<!-- wp:paragraph --><p>Ink<sup data-fn="u1" class="fn"><a href="#u1" id="u1-link">1</a></sup>.</p><!-- /wp:paragraph --><!-- wp:footnotes /-->';
  const more = `<wp:postmeta><wp:meta_key>footnotes</wp:meta_key><wp:meta_value>${cdata('[{"content":"Very <em>old</em>.","id":"u1"}]')}</wp:meta_value></wp:postmeta>`;
  const { content: html, results } = await take(wxr(item({ content, more })));
  expect(html).toBe(
    '<p>Ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>.</p><section data-footnotes=""><ol><li id="fn-1"><p>Very <em>old</em>. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  );
  expect(results[0]?.losses).toBeUndefined();
});

it('fills tags, excerpt and alternative text, and publishes by the clock what was scheduled and nothing else', async () => {
  const more =
    '<category domain="post_tag" nicename="ink"><![CDATA[Ink]]></category><category domain="category" nicename="uncategorized">Uncategorized</category><excerpt:encoded>Short</excerpt:encoded>';
  const soon = (text: string) => text.replaceAll('2020-01-02', '2999-01-02');
  const { posts } = await take(
    soon(
      wxr(
        item({ status: 'future', more }),
        item({ id: 2, status: 'future', more: '<wp:post_password>x</wp:post_password>' }),
      ),
    ),
  );
  expect(posts[0]).toMatchObject({ status: 'inactive', tags: ['Ink'], excerpt: 'Short' });
  expect(posts[0]?.publishAt).toBe('2999-01-02T03:04:05.000Z');
  expect(posts[1]).toMatchObject({ status: 'inactive' });
  expect(posts[1]?.publishAt ?? '').toBe('');
});

it('takes categories and tags as tags, and not what plugins keep as terms: formats, translations, accounts', async () => {
  const term = (domain: string, nicename: string, name: string) =>
    `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`;
  const more = [
    term('category', 'news', 'News'),
    term('post_format', 'post-format-gallery', 'Gallery'),
    term('language', 'de', 'Deutsch'),
    term('post_translations', 'pll_1', 'pll_1'),
    term('author', 'cap-anna', 'anna-login'),
  ].join('');
  const { posts } = await take(wxr(item({ more })));
  expect(posts[0]).toMatchObject({ tags: ['News'], language: 'de' });
});

it('keeps the pictures that it took when a second run cannot have them, and takes new words when it can', async () => {
  const media = join(site.folder, `kept-${run}`);
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a00' } });
  await writeFile(join(media, 'd.png'), await red.png().toBuffer());
  const attachment = item({
    id: 9,
    type: 'attachment',
    status: 'inherit',
    more: '<wp:attachment_url>https://old.test/wp-content/uploads/d.png</wp:attachment_url>',
  });
  const thumbnail =
    '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>';
  const text = (words: string) =>
    wxr(
      attachment,
      item({
        content: `<p>${words}</p><p><img src="https://old.test/wp-content/uploads/d.png" alt="red"></p>`,
        more: thumbnail,
      }),
    );
  const first = (await take(text('One.'), { media })).posts.find(Boolean);
  expect(first?.featuredImage).not.toBe('');
  const outcomes = async (words: string, given = {}) => {
    const { results, posts } = await take(text(words), given);
    return [results.flatMap(({ slug, outcome }) => (slug ? outcome : [])), posts.find(Boolean)] as const;
  };
  expect(await outcomes('One.')).toEqual([['unchanged'], first]);
  expect(await outcomes('Two.')).toEqual([['skipped'], first]);
  const [outcome, changed] = await outcomes('Two.', { media });
  expect([outcome, changed?.featuredImage]).toEqual([['updated'], first?.featuredImage]);
  expect(changed?.content).toContain('Two.');
});

it('names a featured picture that is not in the file', async () => {
  const more = '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>99</wp:meta_value></wp:postmeta>';
  const { results, posts } = await take(wxr(item({ more })));
  expect(results[0]?.notes.join()).toContain('a featured picture, number 99, which is not in this file');
  expect(posts[0]?.featuredImage).toBe('');
});

it('makes accounts of the authors of posts alone, of ten thousand that are named', async () => {
  const authors = Array.from(
    { length: 10_000 },
    (_, at) =>
      `<wp:author><wp:author_login>x${at}</wp:author_login><wp:author_email>x${at}@example.com</wp:author_email></wp:author>`,
  );
  const text = wxr(item({})).replace('<item>', `${authors.join('')}<item>`);
  expect((await take(text, { people: true })).results).toMatchObject([{ outcome: 'taken' }]);
  expect(await admin.authorByEmail('x1@example.com')).toBeUndefined();
});

it('reads a folder of several files, whose attachments stand in another, once each', async () => {
  const folder = join(site.folder, `several-${run}`);
  await mkdir(folder, { recursive: true });
  const url = 'https://old.test/wp-content/uploads/2020/b.png';
  const attachment = item({ id: 9, type: 'attachment', more: `<wp:attachment_url>${url}</wp:attachment_url>` });
  await writeFile(join(folder, '1.xml'), wxr(item({ content: '[gallery ids="9"]' }), item({ id: 2 })));
  await writeFile(join(folder, '2.xml'), wxr(attachment, item({ id: 2 })));
  expect(await formatOf(folder)).toBe('wordpress');
  const collection = await openCollection('wordpress', { path: folder });
  expect(collection.posts.map(({ path }) => path)).toEqual(['post 1', 'post 2']);
  for await (const text of collection.texts())
    if (text.path === 'post 1') expect(JSON.stringify('tree' in text && text.tree)).toContain(url);
});

it('takes the marks of more and of pages, of the classic editor, and nested blocks', async () => {
  const classic = await take(wxr(item({ content: 'a\n\n<!--more-->\n\nb\n\n<!--nextpage-->\n\nc' })));
  expect(classic.content?.replace(/\n/g, '')).toBe('<p>a</p><p>b</p><hr><p>c</p>');
  const nested =
    '<!-- wp:group {"layout":{"type":"flex"}} --><div class="wp-block-group"><!-- wp:columns --><div><!-- wp:paragraph --><p>d</p><!-- /wp:paragraph --></div><!-- /wp:columns --></div><!-- /wp:group -->';
  expect((await take(wxr(item({ id: 2, content: nested })))).content?.trim()).toBe('<p>d</p>');
});

it('writes HTML that stands in no browser’s way: captions last, no heading without words, no blocks in code and marks', async () => {
  const content =
    '<!-- wp:html --><figure><iframe src="https://v.test/1"></iframe><figcaption>c</figcaption></figure><h2><img src="https://x.test/a.png"></h2><h3></h3><code><p>a</p><p>b</p></code><strong><p>d</p><ul><li>e</li></ul></strong><!-- /wp:html -->';
  expect((await take(wxr(item({ content })))).content?.replace(/\n(?!b)/g, '')).toBe(
    '<figure><p><a href="https://v.test/1">v.test</a></p><figcaption>c</figcaption></figure><p><img src="https://x.test/a.png"></p><pre><code>a\nb</code></pre><p><strong>d</strong></p><ul><li>e</li></ul>',
  );
});

it('takes off a link around a picture that leads to that picture, and gives a title as its missing text', async () => {
  const media = join(site.folder, `linked-${run}`);
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, 'c.png'), await red.png().toBuffer());
  const url = 'https://old.test/wp-content/uploads/2020/c';
  const content = `x <a href="${url}.png"><img src="${url}-300x200.png" title="red"></a> <a href="https://x.test/"><img src="${url}.png" alt=""></a>`;
  const attachment = item({ id: 9, type: 'attachment', more: `<wp:attachment_url>${url}.png</wp:attachment_url>` });
  const taken = await take(wxr(item({ content }), attachment), { media });
  expect(taken.content?.replace(/ src="\/v1[^"]*"/g, '')).toBe(
    '<p>x <img alt="red" title="red" width="9" height="9"> <a href="https://x.test/"><img alt="x.test" width="9" height="9"></a></p>',
  );
});

it('leaves no link without words: a picture in it says where it leads', async () => {
  const content =
    '<p>a <a href="https://x.test/ink/"><img src="https://x.test/i.png"></a> <a href="https://x.test/"><img src="https://x.test/i.png" alt="red"></a></p>';
  expect((await take(wxr(item({ content })))).content).toBe(
    '<p>a <a href="https://x.test/ink/"><img src="https://x.test/i.png" alt="x.test/ink"></a> <a href="https://x.test/"><img src="https://x.test/i.png" alt="red"></a></p>',
  );
});
